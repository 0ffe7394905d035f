/**
 * The shape of `gatehouse.yaml`. The types of a file that was read are inferred from here.
 *
 * @module
 */

import { z } from "zod";

/** A wildcard pattern on a call's text. */
const pattern = z.string();

const ruleMap = z.record(z.string().min(1), z.array(pattern));

/** The policy's own words (D1). */
export const policySchema = z.strictObject({
  mode: z.enum(["allow_all", "deny_all", "rules"]).optional(),
  allow: ruleMap.optional(),
  deny: ruleMap.optional(),
  escalate: ruleMap.optional(),
});

/** A preset's name in place of a policy. */
export const presetSchema = z.enum(["allow_all", "deny_all", "read_only", "safe"]);

const destructive = z.strictObject({ mode: z.enum(["patterns"]).optional() });

const paths = z.strictObject({
  allowed: z.array(z.string().min(1)).min(1).optional(),
  denied: z.array(z.string().min(1)).optional(),
  symlinks: z.enum(["follow", "refuse"]).optional(),
});

/** Longest time a user's hook may be given, in seconds. */
const MAX_HOOK_SECONDS = 60;

const hook = z.strictObject({
  name: z.string().min(1).optional(),
  tools: z.array(z.string().min(1)).min(1).optional(),
  command: z.array(z.string()).min(1),
  timeout: z.number().positive().max(MAX_HOOK_SECONDS).optional(),
});

/** The whole file. `policy` is checked by itself, as a preset's name or as a mapping. */
export const fileSchema = z.strictObject({
  version: z.literal(1),
  policy: z.unknown().optional(),
  guards: z.strictObject({
    destructive: z.unknown().optional(),
    paths: z.unknown().optional(),
  }).optional(),
  hooks: z.array(hook).optional(),
  onAllow: z.enum(["defer", "approve"]).optional(),
  deadline: z.number().min(0.5).max(60).optional(),
});

/** A guard's settings; `false` and `true` switch it off and on and are looked at before these. */
export const guardSchemas = { destructive, paths } as const;

/** A policy as it is written. */
export type WrittenPolicy = z.infer<typeof policySchema>;

/** A user's hook as it is written. */
export type WrittenHook = z.infer<typeof hook>;
