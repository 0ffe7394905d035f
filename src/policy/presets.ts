import type { RuleMap } from "./compiled_policy.ts";

/** The names of the presets (D1), as a configuration writes them. */
export type PresetName = "allow_all" | "deny_all" | "read_only" | "safe";

/** The presets' modes and rules. */
export const PRESETS: Readonly<
  Record<PresetName, { mode: string; allow?: RuleMap; deny?: RuleMap; escalate?: RuleMap }>
> = {
  allow_all: { mode: "allow_all" },
  deny_all: { mode: "deny_all" },
  read_only: {
    mode: "rules",
    allow: { reader: ["*"], search: ["*"], context: ["*"] },
    deny: { editor: ["*"], bash: ["*"] },
  },
  safe: {
    mode: "rules",
    allow: { reader: ["*"], editor: ["*"], search: ["*"], context: ["*"] },
    deny: { bash: ["rm *", "sudo *", "chmod *", "kill *", "mkfs *"] },
    escalate: { bash: ["*"] },
  },
};
