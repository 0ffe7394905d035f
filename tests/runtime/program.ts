// The program that the contract tests start: it does one thing with the runtime port, then ends.

import { runtime } from "../../src/runtime/current.ts";

const [task, ...args] = runtime.env.args;

switch (task) {
  case "append":
    for (let line = 0; line < 100; line++) {
      await runtime.fs.appendFile(args[0], `${args[1].repeat(200)}\n`);
    }
    break;
  case "write-and-exit":
    await runtime.stdio.writeOutput("o".repeat(Number(args[0])));
    await runtime.stdio.writeError("e".repeat(Number(args[0])));
    runtime.env.exit(9);
    break;
  case "write-in-turn":
    for (let index = 0; index < 200; index++) await runtime.stdio.writeOutput(`${index} größe\n`);
    break;
  case "read-input": {
    const bytes = await runtime.stdio.readInput(Number(args[0]));
    await runtime.stdio.writeOutput(`${bytes.length} ${await runtime.sha256(bytes)}`);
    runtime.env.exit(0);
    break;
  }
  case "read-lines": {
    const lines: string[] = [];
    for await (const line of runtime.stdio.readLines()) lines.push(line);
    await runtime.stdio.writeOutput(JSON.stringify(lines));
    break;
  }
  case "environment":
    await runtime.stdio.writeOutput(JSON.stringify({
      args,
      platform: runtime.env.platform,
      pid: runtime.env.pid,
      cwd: runtime.env.cwd(),
      set: runtime.env.get("GATEHOUSE_TEST_VALUE"),
      all: runtime.env.all().GATEHOUSE_TEST_VALUE,
      inherited: runtime.env.get("toString") ?? null,
      empty: runtime.env.get("") ?? null,
      runtimeOptions: runtime.env.runtimeOptions,
      terminals: (["input", "output", "error"] as const).map(runtime.stdio.isTerminal),
    }));
    break;
  case "hold-lock": {
    const database = await runtime.sqlite.open(args[0], { busyTimeoutMs: 5_000 });
    database.execute("BEGIN IMMEDIATE");
    await runtime.stdio.writeOutput("locked\n");
    await new Promise((resolve) => setTimeout(resolve, Number(args[1])));
    database.execute("COMMIT");
    database.close();
    break;
  }
  case "once": {
    runtime.env.runsOnce();
    let sum = 0;
    for (let number = 0; number < Number(args[0]); number++) sum += number & 7;
    await runtime.stdio.writeOutput(`${sum}`);
    break;
  }
  case "crash": {
    runtime.env.onCrash((error) => {
      runtime.stdio.writeOutput(`caught ${(error as Error).message}`)
        .finally(() => runtime.env.exit(2));
    });
    const crash = () => {
      throw new Error(args[0]);
    };
    if (args[0] === "rejection") Promise.resolve().then(crash);
    else setTimeout(crash, 0);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    break;
  }
  default:
    throw new Error(`Cannot do ${task}: not a task of this program`);
}
