import type { ShellWord, SimpleCommand } from "../shell/facts.ts";
import type { CommandRule } from "./object_rule.ts";

/** Whether a rule is about a command; `maybe` when a word it asks about is known only when the command runs. */
export type RuleAnswer = "yes" | "no" | "maybe";

/** Options that take the next word as their value and stand before a program's first operand. */
const VALUED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env"],
  docker: ["-H", "--host", "--context", "-c", "--config", "-l", "--log-level"],
  podman: ["--connection", "-c", "--url", "--root", "--log-level"],
  kubectl: [
    "-n",
    "--namespace",
    "--context",
    "--cluster",
    "--kubeconfig",
    "-s",
    "--server",
    "--user",
  ],
  helm: ["-n", "--namespace", "--kube-context", "--kubeconfig"],
  aws: ["--profile", "--region", "--endpoint-url", "--output"],
  gcloud: ["--project", "--account", "--configuration"],
  npm: ["--prefix", "-w", "--workspace", "--userconfig"],
  pnpm: ["-C", "--dir", "-F", "--filter"],
  yarn: ["--cwd"],
  cargo: ["--config", "-Z", "-C", "--color"],
  make: ["-C", "-f", "-I", "-o", "-W"],
  terraform: [],
  systemctl: ["-H", "-M", "-t", "--type"],
};

/**
 * Tells whether a command rule is about a command.
 *
 * The program must be the rule's first word, by name when it was looked up or stands in a system folder. Operands must
 * come in the rule's order from the first operand on; options may stand anywhere. A long option may be shortened and may
 * carry a value (`--force=…`), a short one may stand in a bundle.
 */
export function matchCommandRule(rule: CommandRule, command: SimpleCommand): RuleAnswer {
  const [program, ...asked] = rule.words;
  if (command.program.kind === "unknown") return "maybe";
  if (command.program.kind !== "named") return "no";
  const { name, path, place } = command.program;
  if (program !== (place === "elsewhere" ? path : name)) return "no";
  const { operands, options, unsure } = splitWords(name, command);
  let answer: RuleAnswer = "yes";
  let operand = 0;
  for (const word of asked) {
    const found: RuleAnswer = word.startsWith("-")
      ? hasOption(options, word, unsure)
      : sameWord(operands[operand++], word, unsure);
    if (found === "no") return "no";
    if (found === "maybe") answer = "maybe";
  }
  for (const word of rule.without) {
    const found = hasOption(options, word, unsure);
    if (found === "yes") return "no";
    if (found === "maybe") answer = "maybe";
  }
  return answer;
}

interface SplitWords {
  /** Operands in order; `null` for one that is not known. */
  readonly operands: readonly (string | null)[];
  readonly options: readonly string[];
  /** Whether the command gets words that are not seen here. */
  readonly unsure: boolean;
}

function splitWords(program: string, command: SimpleCommand): SplitWords {
  const valued = Object.hasOwn(VALUED_OPTIONS, program) ? VALUED_OPTIONS[program] : [];
  const operands: (string | null)[] = [];
  const options: string[] = [];
  let unsure = command.unseenOperands !== null;
  let onlyOperands = false;
  const words = command.words.slice(1);
  for (let index = 0; index < words.length; index++) {
    const text = wordValue(words[index]);
    if (text === null) {
      // It may be an option, an operand, or several of both.
      unsure = true;
      operands.push(null);
    } else if (onlyOperands || text === "-" || !text.startsWith("-")) operands.push(text);
    else if (text === "--") onlyOperands = true;
    else {
      options.push(text);
      if (operands.length === 0 && valued.includes(text)) index++;
    }
  }
  return { operands, options, unsure };
}

/** The word when it is known for certain. */
function wordValue(word: ShellWord): string | null {
  return word.globs || word.splits ? null : word.value;
}

function sameWord(operand: string | null | undefined, word: string, unsure: boolean): RuleAnswer {
  if (operand === null) return "maybe";
  if (operand === undefined) return unsure ? "maybe" : "no";
  if (operand === word) return "yes";
  return "no";
}

function hasOption(options: readonly string[], asked: string, unsure: boolean): RuleAnswer {
  for (const option of options) {
    if (option === asked) return "yes";
    if (asked.startsWith("--")) {
      const name = option.split("=")[0];
      // Programs take a long option by its beginning.
      if (name.length > 3 && asked.startsWith(name)) return "yes";
    } else if (asked.length === 2 && /^-[A-Za-z0-9]+$/.test(option) && option.includes(asked[1])) {
      return "yes";
    }
  }
  return unsure ? "maybe" : "no";
}
