/**
 * A program that records, to be run many times at once and to be killed.
 *
 *     spool_worker.ts spool STATE STORE SESSION COUNT     records calls through the spool
 *     spool_worker.ts append STORE SESSION MILLISECONDS   appends to the store in a tight loop
 *     spool_worker.ts drain STATE STORE                   drains the spool once
 *
 * Prints a line with the id of each record after it was acknowledged; at the end `done COUNT FAILURES`.
 *
 * @module
 */

import { runtime } from "../../src/runtime/current.ts";
import { Signal } from "../../src/signals/signal.ts";
import { drainStore } from "../../src/store/drain_store.ts";
import { readLosses } from "../../src/store/losses.ts";
import { openStore } from "../../src/store/open_store.ts";
import { recordCall } from "../../src/store/record_call.ts";

const [mode, ...rest] = runtime.env.args;
const print = (line: string) => runtime.stdio.writeOutput(`${line}\n`);

switch (mode) {
  case "spool": {
    const [stateFolder, store, session, count] = rest;
    for (let done = 0; done < Number(count); done++) {
      const signal = new Signal({ data: { filling: "x".repeat(300) } });
      const call = { session: { id: session }, signals: [signal], moment: "test" };
      await recordCall(runtime, { store, stateFolder }, call, "never");
      await print(signal.id);
    }
    await print(`done ${count} ${(await readLosses(runtime, stateFolder)).lost}`);
    break;
  }
  case "append": {
    const [url, session, milliseconds] = rest;
    const store = await openStore(runtime, url);
    const end = Date.now() + Number(milliseconds);
    let failures = 0;
    let slowest = 0;
    const written: string[] = [];
    while (Date.now() < end) {
      const id = crypto.randomUUID();
      const began = Date.now();
      try {
        await store.append({ id: session }, [
          { id, kind: "Signal", opId: "", ts: began / 1_000, payload: '{"filling":"xxxxxxxx"}' },
        ]);
        written.push(id);
        // A line now and then: a pipe a row would measure the pipe.
        if (written.length % 50 === 0) await print(written.splice(0).join("\n"));
      } catch (error) {
        failures++;
        console.error(error);
      }
      slowest = Math.max(slowest, Date.now() - began);
    }
    await print([...written, `done ${failures} ${slowest}`].join("\n"));
    await store.close();
    break;
  }
  case "drain": {
    const [stateFolder, store] = rest;
    const report = await drainStore(runtime, { store, stateFolder });
    await print(`done ${report.drained} ${report.failure?.code ?? "none"}`);
    break;
  }
}
