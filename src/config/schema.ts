/**
 * The shape of `gatehouse.yaml`. The types of a file that was read are inferred from here.
 *
 * @module
 */

import { z } from "zod";

/** Rules of one tier, by tool. Each rule is text or a mapping and is checked by itself. */
const ruleMap = z.record(z.string().min(1), z.array(z.unknown()));

/** The policy's own words (D1), and how its rules see a command line. */
export const policySchema = z.strictObject({
  mode: z.enum(["allow_all", "deny_all", "rules"]).optional(),
  shell: z.enum(["refuse", "parse"]).optional(),
  allow: ruleMap.optional(),
  deny: ruleMap.optional(),
  escalate: ruleMap.optional(),
});

/** A rule that is more than a wildcard. Exactly one of `pattern`, `command` and `path` is there. */
export const ruleSchema = z.strictObject({
  pattern: z.string().optional(),
  command: z.array(z.string().min(1)).min(1).optional(),
  without: z.array(z.string().regex(/^-/, "must be an option, such as --force")).optional(),
  path: z.string().min(1).optional(),
  reason: z.string().min(1).optional(),
  match: z.array(z.string()).optional(),
  not_match: z.array(z.string()).optional(),
});

/** A preset's name in place of a policy. */
export const presetSchema = z.enum(["allow_all", "deny_all", "read_only", "safe"]);

const destructive = z.strictObject({
  mode: z.enum(["patterns", "parsed"]).optional(),
  overwrite: z.enum(["escalate", "allow"]).optional(),
  discardInLinkedWorktree: z.boolean().optional(),
});

const paths = z.strictObject({
  allowed: z.array(z.string().min(1)).min(1).optional(),
  denied: z.array(z.string().min(1)).optional(),
  symlinks: z.enum(["follow", "refuse"]).optional(),
  outsideReads: z.enum(["allow", "escalate", "deny"]).optional(),
});

/** A guard's settings; `false` and `true` switch it off and on and are looked at before these. */
export const guardSchemas = { destructive, paths } as const;

/** Longest time a user's hook may be given, in seconds. */
const MAX_HOOK_SECONDS = 60;

/** A user's hook. */
export const hookSchema = z.strictObject({
  name: z.string().min(1).optional(),
  tools: z.array(z.string().min(1)).min(1).optional(),
  command: z.array(z.string()).min(1),
  timeout: z.number().positive().max(MAX_HOOK_SECONDS).optional(),
});

/** What is recorded of arguments. */
export const signalsSchema = z.strictObject({
  arguments: z.enum(["full", "redacted", "none"]).optional(),
});

/** A call and what should come of it; exactly one of `command`, `path` and `args` is there. */
export const testSchema = z.strictObject({
  name: z.string().min(1).optional(),
  tool: z.string().min(1),
  action: z.string().optional(),
  command: z.string().optional(),
  path: z.string().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
  expect: z.enum(["allow", "deny", "escalate"]),
});

/** The whole file. `policy` and the guards are checked by themselves: they have short forms. */
export const fileSchema = z.strictObject({
  version: z.literal(1),
  policy: z.unknown().optional(),
  guards: z.strictObject({
    destructive: z.unknown().optional(),
    paths: z.unknown().optional(),
  }).optional(),
  hooks: z.array(hookSchema).optional(),
  onAllow: z.enum(["defer", "approve"]).optional(),
  deadline: z.number().min(0.5).max(60).optional(),
  store: z.union([z.string().min(1), z.literal(false)]).optional(),
  signals: signalsSchema.optional(),
  completion: z.strictObject({ onStop: z.enum(["record", "warn", "block"]) }).optional(),
  tests: z.array(testSchema).optional(),
});

/** A policy as it is written. */
export type WrittenPolicy = z.infer<typeof policySchema>;

/** A rule as it is written, when it is a mapping. */
export type WrittenRule = z.infer<typeof ruleSchema>;

/** A user's hook as it is written. */
export type WrittenHook = z.infer<typeof hookSchema>;

/** A test as it is written. */
export type WrittenTest = z.infer<typeof testSchema>;
