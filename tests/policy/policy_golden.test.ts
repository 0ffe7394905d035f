import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Arguments } from "../../src/call.ts";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";
import { goldenRows } from "../golden/rows.ts";

interface Row {
  policy: { preset?: string } & Record<string, unknown>;
  tool: string;
  action: string;
  args: Arguments;
  expect: {
    behavior: string;
    tool_name: string;
    action: string;
    matched_rule: string | null;
    reason?: string;
    shell_control?: true;
  };
}

const PRESET_MAKERS: Record<string, () => PermissionPolicy> = {
  allow_all: () => PermissionPolicy.allowAll(),
  deny_all: () => PermissionPolicy.denyAll(),
  read_only: () => PermissionPolicy.readOnly(),
  safe: () => PermissionPolicy.safe(),
};

describe("PermissionPolicy.check() as recorded (D1)", () => {
  const rows = goldenRows<Row>("policy.jsonl");
  test(`all ${rows.length} recorded decisions are given as recorded`, () => {
    assert.equal(rows.length, 1200);
    for (const [index, row] of rows.entries()) {
      const policy = row.policy.preset !== undefined
        ? PRESET_MAKERS[row.policy.preset]()
        : PermissionPolicy.fromDict(row.policy);
      const decision = policy.check(row.tool, row.action, row.args);
      const where = `policy.jsonl:${index + 1}`;
      const { shell_control: refused, reason, ...rest } = row.expect;
      assert.deepEqual(
        {
          behavior: decision.behavior,
          tool_name: decision.toolName,
          action: decision.action,
          matched_rule: decision.matchedRule,
        },
        rest,
        where,
      );
      if (refused) assert.match(decision.reason, /^shell-control token/, where);
      else assert.equal(decision.reason, reason, where);
    }
  });
});
