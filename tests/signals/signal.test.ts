import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Element } from "../../src/signals/element.ts";
import * as lifecycle from "../../src/signals/lifecycle_signals.ts";
import { Signal, SIGNAL_SCHEMA_VERSION } from "../../src/signals/signal.ts";
import * as tools from "../../src/signals/tool_signals.ts";

describe("Element", () => {
  test("has an id of its own, epoch seconds and room for metadata", () => {
    const before = Date.now() / 1_000;
    const [one, two] = [new Element(), new Element()];
    assert.match(one.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(one.id, one.id);
    assert.notEqual(one.id, two.id);
    assert.ok(one.createdAt >= before && one.createdAt <= Date.now() / 1_000);
    assert.deepEqual(one.metadata, {});
    assert.notEqual(one.metadata, two.metadata);
  });

  test("takes what it is given, and neither id nor birth time can be set", () => {
    const metadata = { trace: 1 };
    const element = new Element({ id: "x", createdAt: 5, metadata });
    assert.deepEqual([element.id, element.createdAt, element.metadata], ["x", 5, metadata]);
    assert.throws(() => {
      (element as { id: string }).id = "y";
    }, TypeError);
  });
});

describe("Signal", () => {
  test("carries data, the emitter's role and the schema version 1", () => {
    const bare = new Signal();
    assert.deepEqual([bare.data, bare.emitterRole, bare.schemaVersion], [null, null, 1]);
    assert.equal(SIGNAL_SCHEMA_VERSION, 1);
    const full = new Signal({ data: 7, emitterRole: "planner", id: "s" });
    assert.deepEqual([full.data, full.emitterRole, full.id], [7, "planner", "s"]);
    assert.ok(full instanceof Element);
  });

  test("every kind is stored under its class's name, which no minifier changes", () => {
    const classes = Object.entries({ ...lifecycle, ...tools })
      .filter(([, value]) => typeof value === "function" && value.prototype instanceof Signal);
    assert.equal(classes.length, 24);
    for (const [name, made] of classes) {
      const Kind = made as typeof Signal;
      assert.equal(Kind.kind, name);
      assert.equal(new Kind({ data: {} }).kind, name);
    }
    assert.equal(new Signal().kind, "Signal");
  });

  test("a class that names no kind is stored under its own name", () => {
    class Custom extends Signal {}
    class Named extends lifecycle.GateDenied {
      static override readonly kind = "Other" as "GateDenied";
    }
    assert.equal(new Custom().kind, "Custom");
    assert.equal(new Named().kind, "Other");
  });
});
