/**
 * Rules over the commands of a line, and over paths: what `policy.shell: parse` means.
 *
 * @module
 */

import type { Arguments, Behavior } from "../call.ts";
import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import { ENOUGH_TO_REMEMBER, keep, type Memory, recall } from "../shell/remembered.ts";
import { matchCommandRule, type RuleAnswer } from "./command_rule.ts";
import { type CompiledPolicy, type Tier, TIERS } from "./compiled_policy.ts";
import { matchString } from "./match_string.ts";
import type { ObjectRule, PathRule } from "./object_rule.ts";
import type { DecidingRule, Evaluation } from "./permission_policy.ts";
import { firstWord, foldCase, type RuleMatcher } from "./rule_index.ts";
import { type TierMatchers, tierMatchers } from "./tier_matchers.ts";
import { canonicalToolName } from "./tool_names.ts";

/** What one command of a line came to. */
export interface CommandEvaluation {
  readonly command: SimpleCommand;
  readonly behavior: Behavior;
  readonly reason: string;
  readonly rule: DecidingRule | null;
}

/** What a line, or a path, came to. */
export interface LineEvaluation extends Evaluation {
  /** By command, in the order of the line; empty for other tools. */
  readonly commands: readonly CommandEvaluation[];
}

/** A rule that speaks of a call, and how surely. */
interface Hit {
  readonly rule: DecidingRule;
  readonly answer: RuleAnswer;
}

/**
 * Decides calls by a policy whose rules may be objects, and whose rules for `bash` are asked of each command that a line
 * would run.
 *
 * One denied command denies the line. A line is allowed only when it is understood and every command that does something
 * is allowed; everything else escalates: a command that no rule knows is a question, not a denial.
 */
export class LinePolicy {
  readonly #compiled: CompiledPolicy;
  readonly #matchers: TierMatchers;
  /** By tool: the matchers that there are, in the order they are asked. */
  readonly #asked: Record<string, Asked> = Object.create(null);

  constructor(compiled: CompiledPolicy) {
    this.#compiled = compiled;
    this.#matchers = tierMatchers(compiled);
  }

  /** Decides a command line. */
  evaluateLine(toolName: string, action: string, reading: ShellReading): LineEvaluation {
    const tool = canonicalToolName(toolName);
    const commands: CommandEvaluation[] = [];
    let denied: CommandEvaluation | null = null;
    // A question that a rule asks is told before one that stands there because no rule knows the command. A launcher
    // only counts when a rule is about it: what it starts is judged by itself.
    let askedByRule: CommandEvaluation | null = null;
    let unknown: CommandEvaluation | null = null;
    let allowed: CommandEvaluation | null = null;
    for (const command of reading.commands) {
      const evaluated = this.#evaluateCommand(tool, command);
      commands.push(evaluated);
      const { behavior, rule } = evaluated;
      const runs = command.role === "runs";
      if (behavior === "deny") denied ??= evaluated;
      else if (behavior === "escalate") {
        if (rule !== null) askedByRule ??= evaluated;
        if (runs) unknown ??= evaluated;
      }
      if (runs) allowed ??= evaluated;
    }
    if (denied === null && !reading.understood) {
      const [first] = reading.reasons;
      const reason = `cannot tell all that this runs: ${first?.message ?? "it was not read"}`;
      return this.#evaluation("not-understood", "escalate", tool, action, reason, null, commands);
    }
    const chosen = denied ?? askedByRule ?? unknown ?? allowed ?? commands[0];
    if (chosen === undefined) {
      return this.#evaluation("no-rule", "allow", tool, action, "nothing runs", null, commands);
    }
    const by = chosen.rule === null ? "no-rule" : "rule";
    return this.#evaluation(
      by,
      chosen.behavior,
      tool,
      action,
      chosen.reason,
      chosen.rule,
      commands,
    );
  }

  /**
   * Decides a call of another tool: by its text, as D1 says, and by the path it names.
   *
   * @param matchesPath How a path rule is asked; the glob library is loaded only where there are such rules.
   */
  evaluateCall(
    toolName: string,
    action: string,
    args: Arguments,
    matchesPath: (rule: PathRule, path: string) => boolean,
  ): LineEvaluation {
    const tool = canonicalToolName(toolName);
    const subject = matchString(tool, action, args);
    if ("problem" in subject) {
      return this.#evaluation("input", "deny", tool, action, subject.problem, null, []);
    }
    const path = typeof args.file_path === "string"
      ? args.file_path
      : typeof args.path === "string"
      ? args.path
      : "";
    const folded = foldCase(subject.text);
    const word = firstWord(folded);
    const ask = (rule: ObjectRule) =>
      rule.kind === "path" && matchesPath(rule, path) ? "yes" : "no";
    for (const asked of this.#askedAbout(tool).all) {
      const hit = firstHit(asked, subject.text, folded, word, ask);
      if (hit === null) continue;
      return this.#evaluation(
        "rule",
        asked.tier,
        tool,
        action,
        this.#reason(hit.rule),
        hit.rule,
        [],
      );
    }
    return this.#evaluation(
      "no-rule",
      "deny",
      tool,
      action,
      "no matching rule, default deny",
      null,
      [],
    );
  }

  #evaluateCommand(tool: string, command: SimpleCommand): CommandEvaluation {
    let doubt: DecidingRule | null = null;
    const folded = foldCase(command.canonical);
    const word = firstWord(folded);
    let answered: Tier | null = null;
    for (const asked of this.#askedAbout(tool).aboutWord(word)) {
      const { tier } = asked;
      // A tier's rules for every tool are asked when those for the tool say nothing.
      if (tier === answered) continue;
      const hit = asked.matcher.index.objects === undefined
        ? firstPattern(asked, command.canonical, folded, word)
        : firstHit(
          asked,
          command.canonical,
          folded,
          word,
          (rule) => rule.kind === "command" ? matchCommandRule(rule, command) : "no",
        );
      if (hit === null) continue;
      answered = tier;
      if (hit.answer === "maybe") {
        // It may be what a rule refuses: a question, whatever else allows it. It may be what a rule allows: no answer.
        if (tier !== "allow") doubt ??= hit.rule;
        continue;
      }
      if (tier === "allow") {
        const hidden = doubt ?? this.#refusalInDoubt(tool, command);
        if (hidden !== null) {
          const reason =
            `\`${shown(command)}\` has words that are known only when it runs, and may be ` +
            `what ${hidden.tier} rule ${this.#pattern(hidden)} is about`;
          return { command, behavior: "escalate", reason, rule: hidden };
        }
      }
      return { command, behavior: tier, reason: this.#reason(hit.rule, command), rule: hit.rule };
    }
    if (doubt !== null) {
      const reason = `\`${shown(command)}\` may be what a rule refuses: ${this.#pattern(doubt)}`;
      return { command, behavior: "escalate", reason, rule: doubt };
    }
    if (command.program.kind === "none" && command.redirections.length === 0) {
      return { command, behavior: "allow", reason: "only sets variables", rule: null };
    }
    const reason = `no rule knows \`${shown(command)}\``;
    return { command, behavior: "escalate", reason, rule: null };
  }

  /** A deny or escalate rule for this program that a word not known yet could bring into play. */
  #refusalInDoubt(tool: string, command: SimpleCommand): DecidingRule | null {
    const unsure = command.unseenOperands !== null ||
      command.words.some((word) => word.known !== "known" || word.splits);
    if (!unsure || command.program.kind !== "named") return null;
    const name = command.program.name.toLowerCase();
    for (const { tier, key, matcher } of this.#askedAbout(tool).refusing) {
      const number = matcher.firstAbout(name);
      if (number !== -1) return { tier, tool: key, number };
    }
    return null;
  }

  #askedAbout(tool: string): Asked {
    const known = this.#asked[tool];
    if (known !== undefined) return known;
    const all: AskedMatcher[] = [];
    for (const tier of TIERS) {
      for (const key of tool === "*" ? ["*"] : [tool, "*"]) {
        const matcher = this.#matchers(tier, key);
        if (matcher !== null) all.push({ tier, key, matcher, hits: [] });
      }
    }
    return this.#asked[tool] = new Asked(all);
  }

  #pattern(rule: DecidingRule): string {
    return this.#compiled.tiers[rule.tier][rule.tool].patterns[rule.number];
  }

  #reason(rule: DecidingRule, command?: SimpleCommand): string {
    const index = this.#compiled.tiers[rule.tier][rule.tool];
    const said = index.reasons?.[rule.number];
    const what = command === undefined ? "" : ` (\`${shown(command)}\`)`;
    return `${REASON_WORDS[rule.tier]}: ${this.#pattern(rule)}${what}${
      said === undefined ? "" : `: ${said}`
    }`;
  }

  #evaluation(
    by: Evaluation["by"],
    behavior: Behavior,
    toolName: string,
    action: string,
    reason: string,
    rule: DecidingRule | null,
    commands: readonly CommandEvaluation[],
  ): LineEvaluation {
    const matchedRule = rule === null ? null : this.#pattern(rule);
    const decision = Object.freeze({ behavior, toolName, action, reason, matchedRule });
    return { by, rule, decision, commands };
  }
}

/** The matchers for a tool: tier by tier, those for the tool before those for every tool. */
class Asked {
  private knownRefusing: readonly AskedMatcher[] | undefined = undefined;
  private asks = 0;
  private readonly byWord: Memory<readonly AskedMatcher[]> = { asked: 0, known: null };

  constructor(readonly all: readonly AskedMatcher[]) {}

  /** Those that may know a text with this first word. A process that asks seldom asks all of them. */
  aboutWord(word: string): readonly AskedMatcher[] {
    if (++this.asks <= ENOUGH_TO_REMEMBER) return this.all;
    return recall(this.byWord, word) ?? keep(this.byWord, word, this.thatMayMatch(word));
  }

  private thatMayMatch(word: string): readonly AskedMatcher[] {
    return this.all.filter(({ matcher }) =>
      matcher.index.objects !== undefined || matcher.mayMatch(word)
    );
  }

  /** Those of the tiers that refuse: denials before questions. */
  get refusing(): readonly AskedMatcher[] {
    return this.knownRefusing ??= [
      ...this.all.filter(({ tier }) => tier === "deny"),
      ...this.all.filter(({ tier }) => tier === "escalate"),
    ];
  }
}

/** The matcher of one tier's rules for one key. */
interface AskedMatcher {
  readonly tier: Tier;
  readonly key: string;
  readonly matcher: RuleMatcher;
  /** What was answered before, by the rule's number. */
  readonly hits: Hit[];
}

/** The first rule of a list of patterns that speaks of a text. */
function firstPattern(
  { tier, key, matcher, hits }: AskedMatcher,
  text: string,
  folded: string,
  word: string,
): Hit | null {
  const number = matcher.firstMatch(text, folded, word);
  if (number === -1) return null;
  return hits[number] ??= { rule: { tier, tool: key, number }, answer: "yes" };
}

/** The first rule of a list that speaks of a text. */
function firstHit(
  { tier, key, matcher }: AskedMatcher,
  text: string,
  folded: string,
  word: string,
  ask: (rule: ObjectRule) => RuleAnswer,
): Hit | null {
  const number = matcher.firstMatch(text, folded, word);
  const { objects } = matcher.index;
  let maybe: Hit | null = null;
  if (objects !== undefined) {
    for (const object of objects) {
      if (number !== -1 && object.number > number) break;
      const answer = ask(object.rule);
      const hit = { rule: { tier, tool: key, number: object.number }, answer };
      if (answer === "yes") return maybe !== null && tier !== "allow" ? maybe : hit;
      if (answer === "maybe") maybe ??= hit;
    }
  }
  return number === -1 ? maybe : { rule: { tier, tool: key, number }, answer: "yes" };
}

const REASON_WORDS: Readonly<Record<Tier, string>> = {
  deny: "denied by rule",
  allow: "allowed by rule",
  escalate: "escalate by rule",
};

/** How much of a command a reason shows. */
const SHOWN_LENGTH = 80;

function shown(command: SimpleCommand): string {
  const text = command.canonical;
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
