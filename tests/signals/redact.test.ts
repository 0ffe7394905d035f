import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "node:test";
import { plainRecord } from "../../src/signals/plain_record.ts";
import { namesProtectedFile } from "../../src/signals/protected_content.ts";
import { prepareSignal } from "../../src/signals/record.ts";
import { isSecretField, redactText } from "../../src/signals/redact.ts";
import { mayHoldSecret } from "../../src/signals/secret_hints.ts";
import { Signal } from "../../src/signals/signal.ts";
import { ToolCompleted, ToolProposed } from "../../src/signals/tool_signals.ts";
import { HARMLESS, SECRETS } from "./secret_samples.ts";

const facts = { tool: "bash", action: "", callId: "c" };
const proposal = (args: Record<string, unknown>) =>
  new ToolProposed({ data: { ...facts, args, cwd: "/repo" } });
const stored = (signal: Signal, mode: "full" | "redacted" | "none" = "redacted") =>
  prepareSignal(signal, mode).payload;

describe("redactText", () => {
  for (const [name, text, secret] of SECRETS) {
    test(`takes the ${name} out of ${text.slice(0, 24)}…`, () => {
      const redacted = redactText(text);
      assert.ok(!redacted.includes(secret), redacted);
      assert.ok(redacted.includes(`[redacted:${name}]`), redacted);
      assert.equal(redactText(redacted), redacted);
    });
  }

  for (const text of HARMLESS) {
    test(`leaves ${text.slice(0, 40)} as it is`, () => assert.equal(redactText(text), text));
  }

  test("keeps what stands around a secret", () => {
    assert.equal(
      redactText("curl -H 'Authorization: Bearer FAKE' https://x && git status"),
      "curl -H 'Authorization: Bearer [redacted:authorization]' https://x && git status",
    );
    assert.equal(
      redactText("PASSWORD=a TOKEN=b ls"),
      "PASSWORD=[redacted:secret] TOKEN=[redacted:secret] ls",
    );
    assert.equal(
      redactText("git clone https://u:p@h/r"),
      "git clone https://u:[redacted:url-password]@h/r",
    );
  });

  test("its work grows with the length of the text alone", () => {
    // Each would take minutes if a repetition stood beside another that takes the same characters.
    const hostile = [
      `${"a".repeat(200_000)}:`,
      "password".repeat(25_000),
      `${"password ".repeat(20_000)}=`,
      `eyJ${"a.".repeat(50_000)}`,
      "-----BEGIN PRIVATE KEY-----".repeat(5_000),
      `${"://".repeat(30_000)}@`,
      `${"bearer ".repeat(20_000)}`,
      `--${"token-".repeat(30_000)}`,
      "-u ".repeat(50_000),
      "sk-".repeat(50_000),
      `authorization${" ".repeat(100_000)}:`,
      '"'.repeat(200_000),
    ];
    for (const text of hostile) redactText(text);
  });
});

describe("isSecretField", () => {
  test("knows names whose values are secret, and those that only sound so", () => {
    const secret = [
      "password",
      "PASSWORD",
      "db_password",
      "dbPassword",
      "token",
      "access_token",
      "accessToken",
      "api_key",
      "apiKey",
      "api-key",
      "x-api-key",
      "client_secret",
      "clientSecret",
      "authorization",
      "Authorization",
      "cookie",
      "private_key",
      "AWS_SECRET_ACCESS_KEY",
      "credentials",
    ];
    const open = [
      "max_tokens",
      "token_count",
      "tokens",
      "tokenizer",
      "key",
      "command",
      "path",
      "secretary",
      "passwords_file",
      "author",
      "keyboard",
      "callId",
    ];
    assert.deepEqual(secret.filter((name) => !isSecretField(name)), []);
    assert.deepEqual(open.filter(isSecretField), []);
  });
});

describe("prepareSignal", () => {
  test("D5-7 a message is stored as a reference, never its body", () => {
    const message = {
      id: "m1",
      role: "user",
      sender: "u",
      recipient: "b",
      content: "the whole body",
      extra: 1,
    };
    const signal = prepareSignal(new Signal({ data: message }), "full");
    assert.ok(signal.payload.includes("the whole body"));
    class MessageAdded extends Signal {
      static override readonly kind = "MessageAdded";
    }
    assert.equal(
      prepareSignal(new MessageAdded({ data: message }), "full").payload,
      '{"message_ref":{"id":"m1","role":"user","sender":"u","recipient":"b"}}',
    );
    assert.equal(
      prepareSignal(new MessageAdded({ data: null }), "full").payload,
      '{"message_ref":{}}',
    );
  });

  test("a record's fields stand in the payload itself, anything else under data", () => {
    assert.equal(stored(new Signal({ data: { a: 1 } })), '{"a":1}');
    assert.equal(stored(new Signal({ data: "text" })), '{"data":"text"}');
    assert.equal(stored(new Signal({ data: [1] })), '{"data":[1]}');
    assert.equal(stored(new Signal()), "{}");
    assert.equal(
      stored(new Signal({ data: { a: 1 }, emitterRole: "planner" })),
      '{"a":1,"emitter_role":"planner"}',
    );
  });

  test("the operation is that of the node, or the call", () => {
    assert.equal(prepareSignal(new Signal({ data: { opId: "n1" } }), "full").opId, "n1");
    assert.equal(prepareSignal(proposal({}), "full").opId, "c");
    assert.equal(prepareSignal(new Signal({ data: { opId: 7 } }), "full").opId, "");
    assert.equal(prepareSignal(new Signal({ data: "x" }), "full").opId, "");
  });

  test("secrets are masked by shape and by name, in arguments and in answers", () => {
    const [, token] = SECRETS[0];
    const text = stored(
      new ToolCompleted({
        data: {
          ...facts,
          args: { command: "deploy", env: { apiToken: "hunter2", region: "eu" } },
          response: { stdout: `used ${token}`, headers: { Authorization: "Basic aHVudGVyMg" } },
        },
      }),
    );
    assert.ok(!/hunter2|aHVudGVyMg/.test(text), text);
    assert.ok(!text.includes(token));
    assert.ok(text.includes('"region":"eu"'));
    assert.ok(text.includes('"apiToken":"[redacted]"'));
  });

  test("what is written into a protected file, or read out of it, is not stored", () => {
    const secretive: readonly (readonly [Record<string, unknown>, unknown])[] = [
      [{ file_path: "/repo/.env", content: "COLOUR=hunter2" }, undefined],
      [{ file_path: "/repo/.env.local", old_string: "hunter2", new_string: "hunter2" }, undefined],
      [{ path: "/home/u/.ssh/id_ed25519" }, "hunter2"],
      [{ path: "certs/server.pem" }, { content: ["hunter2"] }],
      [{ command: "cat .env" }, { stdout: "COLOUR=hunter2" }],
      [{ command: "echo COLOUR=hunter2 >> .env" }, undefined],
      [{ command: "cat > .env <<EOF\nhunter2\nEOF" }, undefined],
      [{ command: "printf 'hunter2' | tee ~/.netrc" }, undefined],
      [{ paths: ["/repo/.env"], text: "hunter2" }, undefined],
    ];
    for (const [args, response] of secretive) {
      const signal = new ToolCompleted({
        data: { ...facts, args, ...(response === undefined ? {} : { response }) },
      });
      const text = stored(signal);
      assert.ok(!text.includes("hunter2"), text);
      assert.ok(
        text.includes(".env") || text.includes("id_ed25519") || text.includes(".pem") ||
          text.includes(".netrc"),
        text,
      );
    }
    for (
      const args of [{ file_path: "src/environment.ts" }, { path: ".env.example" }, {
        command: "ls environment",
      }]
    ) {
      assert.equal(namesProtectedFile(args), false, JSON.stringify(args));
    }
  });

  test("arguments: full stores everything, none stores nothing of arguments and answers", () => {
    const data = { ...facts, args: { command: "export PASSWORD=hunter2" }, response: "hunter2" };
    assert.ok(stored(new ToolCompleted({ data }), "full").includes("PASSWORD=hunter2"));
    assert.deepEqual(JSON.parse(stored(new ToolCompleted({ data }), "none")), {
      ...facts,
      args: null,
      response: null,
    });
  });

  test("a secret that is cut in two by the head of a long text is left out whole", () => {
    const secret = `sk-ant-${"a1B2".repeat(12)}`;
    for (let shift = 0; shift < 64; shift++) {
      const before = `${"-".repeat(32_768 - 64 + shift)} `;
      // Everything before the cut is masked down, so that the end of the head is what is stored.
      const text = stored(
        new Signal({
          data: { text: `${"PASSWORD=x ".repeat(2)}${before}${secret}${"z".repeat(99)}` },
        }),
      );
      assert.ok(!text.includes("sk-ant-a"), String(shift));
    }
  });
});

describe("plainRecord", () => {
  test("every secret we know is noticed by a plain search, also as JSON spells it", () => {
    for (const [name, text] of SECRETS) {
      assert.ok(mayHoldSecret(text), name);
      assert.ok(mayHoldSecret(JSON.stringify({ text })), name);
    }
  });

  test("it gives what prepareSignal gives, or nothing", () => {
    const words = fc.oneof(
      fc.constantFrom(...SECRETS.map(([, text]) => text), ...HARMLESS),
      fc.constantFrom(
        ".env",
        "password",
        "apiKey",
        " = ",
        ": ",
        "--",
        "\ud800",
        "\n",
        "é",
        "x".repeat(3_000),
      ),
      fc.string(),
    );
    const text = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(""));
    const args = fc.dictionary(
      fc.oneof(text, fc.constantFrom("command", "file_path", "token", "content")),
      fc.oneof(text, fc.jsonValue()),
    );
    let quick = 0;
    fc.assert(
      fc.property(
        args,
        fc.constantFrom("full" as const, "redacted" as const, "none" as const),
        (given, mode) => {
          const signal = proposal(JSON.parse(JSON.stringify(given)));
          const plain = plainRecord(signal, mode);
          if (plain === null) return;
          quick++;
          assert.deepEqual(plain, prepareSignal(signal, mode));
        },
      ),
      { numRuns: 1_000 },
    );
    assert.ok(quick > 50, `${quick} of 1,000 went the quick way`);
  });

  test("an ordinary call goes the quick way", () => {
    for (const command of ["git status", "ls -la src", "deno test -A tests/store 2>&1 | tail -5"]) {
      assert.notEqual(plainRecord(proposal({ command }), "redacted"), null, command);
    }
  });
});
