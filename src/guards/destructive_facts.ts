/**
 * The tables of `programs/`, indexed by program, and the question whether a command matches a fact.
 *
 * @module
 */

import { compareBehaviors } from "../call.ts";
import { type CommandWords, type GivenOperand, givenOption } from "./command_words.ts";
import { type DestructiveFact, type FactArea, HARMLESS_OPTIONS } from "./destructive_fact.ts";
import { isWordOf } from "../shell/word_list.ts";
import { CLOUD_FACTS } from "./programs/clouds.ts";
import { CONTAINER_FACTS } from "./programs/containers.ts";
import { DATABASE_FACTS } from "./programs/databases.ts";
import { GIT_FACTS } from "./programs/git.ts";
import { LAUNCH_OPTION_FACTS } from "./programs/launch_options.ts";
import { PACKAGE_FACTS } from "./programs/packages.ts";
import { SYSTEM_FACTS } from "./programs/system.ts";
import { VERSION_CONTROL_FACTS } from "./programs/version_control.ts";

/** Every table, in the order of the documentation. */
export const FACT_AREAS: readonly FactArea[] = [
  GIT_FACTS,
  VERSION_CONTROL_FACTS,
  DATABASE_FACTS,
  CONTAINER_FACTS,
  CLOUD_FACTS,
  PACKAGE_FACTS,
  SYSTEM_FACTS,
  LAUNCH_OPTION_FACTS,
];

/** Whether the tables know a program. */
export function isTabled(program: string): boolean {
  return FACT_AREAS.some(({ programs }) => isWordOf(programs, program));
}

/** The facts about a program, in the order of the tables. */
function factsAbout(program: string): readonly DestructiveFact[] {
  let facts = known.get(program);
  if (facts === undefined) {
    facts = FACT_AREAS.filter(({ programs }) => isWordOf(programs, program))
      .flatMap((area) => area.facts.filter((fact) => fact.programs.includes(program)));
    // Lines may name any number of programs; the memory for them may not grow with the lines.
    if (facts.length > 0) known.set(program, facts);
  }
  return facts;
}

const known = new Map<string, readonly DestructiveFact[]>();

/** The strictest fact that a program's words match; `null` when none does. */
export function matchingFact(program: string, words: CommandWords): DestructiveFact | null {
  const facts = factsAbout(program);
  if (facts.length === 0 || isHarmless(words)) return null;
  let strictest: DestructiveFact | null = null;
  for (const fact of facts) {
    if (!matches(fact, words)) continue;
    if (strictest === null || compareBehaviors(fact.behavior, strictest.behavior) > 0) {
      strictest = fact;
    }
  }
  return strictest;
}

/** Whether the words ask for help or for a dry run. */
export function isHarmless(words: CommandWords): boolean {
  if (words.operands[0]?.text === "help") return true;
  return words.options.some(({ name, value }) =>
    // A shortened spelling is not enough here: it may be another option's.
    HARMLESS_OPTIONS.includes(name) && !/^(?:false|none|no|0|off)$/i.test(value ?? "")
  );
}

function matches(fact: DestructiveFact, words: CommandWords): boolean {
  const rest = afterSubcommand(words.operands, fact.subcommand ?? []);
  if (rest === null) return false;
  if (fact.options !== undefined && givenOption(words, fact.options) === null) return false;
  if (fact.also !== undefined && givenOption(words, fact.also) === null) return false;
  if (fact.without?.some((name) => words.options.some((option) => option.name === name))) {
    return false;
  }
  if (fact.atLeast !== undefined && rest.length + words.options.length < fact.atLeast) return false;
  if (fact.operand !== undefined) {
    const texts = [
      ...rest.map(({ text }) => text),
      ...words.options.flatMap(({ value }) => value ?? []),
    ];
    if (!texts.some((text) => fact.operand!.test(text))) return false;
  }
  return true;
}

/** The operands after a subcommand; `null` when it is not that one. */
function afterSubcommand(
  operands: readonly GivenOperand[],
  subcommand: readonly string[],
): readonly GivenOperand[] | null {
  let at = 0;
  for (const choices of subcommand) {
    const names = choices.split("|");
    while (!names.includes(operands[at]?.text ?? "")) {
      // What follows an option we do not know may be its value: look past it, and past nothing else.
      if (!operands[at]?.afterOption) return null;
      at++;
    }
    at++;
  }
  return operands.slice(at);
}
