// Two numbered lines about what is stored of a signal, by themselves.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActionResponse } from "../../src/action/action_response.ts";
import { MessageAdded } from "../../src/signals/lifecycle_signals.ts";
import { PAYLOAD_BYTE_CAP, payloadText } from "../../src/signals/payload.ts";
import { prepareSignal } from "../../src/signals/record.ts";
import { Signal } from "../../src/signals/signal.ts";

describe("what is stored of a signal", () => {
  test("D5-7 of a message only a reference is kept, not the body", () => {
    const message = new ActionResponse({
      requestId: "r",
      function: "t",
      arguments: {},
      output: "the body",
      outcome: "completed",
    });
    const { payload } = prepareSignal(new MessageAdded({ data: message }), "full");
    assert.deepEqual(JSON.parse(payload), { message_ref: { id: message.id, role: "action" } });
  });

  test("D5-7 what is not JSON falls back to a text or a plain form", () => {
    const circle: Record<string, unknown> = { big: 1n, when: new Date(0), none: NaN };
    circle.self = circle;
    circle.run = () => 1;
    const kept = JSON.parse(prepareSignal(new Signal({ data: circle }), "full").payload);
    assert.deepEqual([kept.big, kept.when, kept.none], ["1", "1970-01-01T00:00:00.000Z", "NaN"]);
    assert.deepEqual([typeof kept.self, typeof kept.run], ["string", "string"]);
  });

  test("D5-8 a payload is capped at 16,384 bytes of UTF-8", () => {
    assert.equal(PAYLOAD_BYTE_CAP, 16_384);
    const bytes = (text: string) => new TextEncoder().encode(text).length;
    const room = PAYLOAD_BYTE_CAP - bytes(payloadText({ text: "" }));
    const fits = payloadText({ text: "x".repeat(room) });
    assert.equal(bytes(fits), PAYLOAD_BYTE_CAP);
    assert.equal("truncated" in JSON.parse(fits), false);
    const over = payloadText({ text: "é".repeat(room) });
    assert.ok(bytes(over) <= PAYLOAD_BYTE_CAP);
    const { truncated, original_bytes, data } = JSON.parse(over);
    assert.deepEqual([truncated, original_bytes], [true, PAYLOAD_BYTE_CAP + room]);
    assert.ok(typeof data === "string" && data.startsWith('{"text":"éé'));
  });
});
