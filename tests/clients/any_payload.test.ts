import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { PayloadError } from "../../src/clients/client.ts";
import type { Answer, Client, ClientEvent } from "../../src/clients/client.ts";
import { CLIENT_NAMES, CLIENTS } from "../../src/clients/registry.ts";
import { payload, payloadNames } from "./golden.ts";
import { SCENARIOS, verdict, verdictFor } from "./verdicts.ts";

const environment = { cwd: () => "/elsewhere" };

/** Reads, and lets only the one error pass that the hook turns into a refusal. */
function readOrRefuse(client: Client, value: unknown): ClientEvent | null {
  try {
    return client.read(value, environment);
  } catch (error) {
    assert.ok(error instanceof PayloadError, `not a PayloadError: ${error}`);
    assert.notEqual(error.message.trim(), "");
    return null;
  }
}

/** What holds for every answer: silence, or one line of JSON; a denial is loud on every channel. */
function assertSound(answer: Answer): void {
  assert.ok(answer.exitCode === 0 || answer.exitCode === 2);
  if (answer.stdout !== "") {
    assert.equal(answer.stdout.indexOf("\n"), answer.stdout.length - 1);
    assert.equal(typeof JSON.parse(answer.stdout), "object");
  }
  assert.equal(answer.exitCode === 2, answer.stderr.trim() !== "");
  if (answer.exitCode === 2) assert.notEqual(answer.stdout, "");
}

/** Captured payloads with one field replaced by anything, or taken away. */
const spoiled = fc.tuple(fc.constantFrom(...payloadNames()), fc.nat(), fc.option(fc.jsonValue()))
  .map(([name, index, value]) => {
    const fields = { ...payload(name) as Record<string, unknown> };
    const field = Object.keys(fields)[index % Object.keys(fields).length];
    if (value === null) delete fields[field];
    else fields[field] = value;
    return fields;
  });

/** Captured payloads with one argument of the call replaced by anything. */
const spoiledArguments = fc.tuple(
  fc.constantFrom(...payloadNames()),
  fc.constantFrom("command", "file_path", "filePath", "path", "pattern", "__proto__", "toString"),
  fc.jsonValue(),
).map(([name, argument, value]) => {
  const fields = payload(name) as Record<string, Record<string, unknown>>;
  const key = ["tool_input", "toolArgs", "toolInput"].find((name) => name in fields);
  if (key === undefined) return fields;
  const entries = Object.entries(fields[key]).filter(([name]) => name !== argument);
  return { ...fields, [key]: Object.fromEntries([...entries, [argument, value]]) };
});

for (const name of CLIENT_NAMES) {
  const client = CLIENTS[name];
  describe(`${name}, given anything`, () => {
    test("any JSON is read or refused, never an accident", () => {
      fc.assert(fc.property(fc.jsonValue(), (value) => void readOrRefuse(client, value)));
    });

    test("a payload with one field spoiled is read or refused, and answered soundly", () => {
      fc.assert(
        fc.property(fc.oneof(spoiled, spoiledArguments), (value) => {
          const event = readOrRefuse(client, value);
          if (event === null || event.moment !== "before-tool") return;
          assert.ok(event.calls.length > 0, "a call to judge must not vanish");
          for (const scenario of SCENARIOS) {
            for (const onAllow of ["defer", "approve"] as const) {
              assertSound(client.write(verdictFor(scenario, event), event, { onAllow }));
            }
          }
        }),
        { numRuns: 400 },
      );
    });

    test("a refusal is sound with any reason", () => {
      fc.assert(fc.property(fc.string({ unit: "binary" }), (reason) => {
        const answer = client.refuse(reason);
        assertSound(answer);
        assert.equal(answer.exitCode, 2);
      }));
    });

    test("what is not an object is refused with its kind", () => {
      for (
        const [value, kind] of [[null, "null"], [[], "a list"], ["x", "a text"], [1, "a number"]]
      ) {
        assert.throws(() => client.read(value, environment), {
          name: "PayloadError",
          message: `Cannot read the payload: it is ${kind}, not an object`,
        });
      }
    });

    test("an event that we do not know is no call and no accident", () => {
      const event = client.read({ hook_event_name: "NextYearsEvent", cwd: 7 }, environment);
      assert.equal(event.moment, "other");
      assert.equal(event.name, "NextYearsEvent");
      assert.deepEqual(event.calls, []);
      assert.equal(event.cwd, "/elsewhere");
    });

    test("only a policy's own allow is ever an approval", () => {
      const read = payloadNames().filter((file) => file.startsWith(`${name}-`))
        .map((file) => client.read(payload(file), environment))
        .filter((event) => event.moment === "before-tool");
      assert.ok(read.length > 0);
      for (const event of read) {
        const args = event.calls[0].args;
        for (const control of [null, "guard:destructive", "hook:x"]) {
          const answer = client.write(verdict({ control, args }), event, { onAllow: "approve" });
          assert.deepEqual(answer, { stdout: "", stderr: "", exitCode: 0 });
        }
        const approval = client.write(verdict({ control: "policy", args }), event, {
          onAllow: "approve",
        });
        assert.equal(
          approval.stdout.includes('"permissionDecision":"allow"'),
          client.capabilities.approve,
        );
        const deferred = client.write(verdict({ control: "policy", args }), event, {
          onAllow: "defer",
        });
        assert.equal(deferred.stdout, "");
      }
    });
  });
}
