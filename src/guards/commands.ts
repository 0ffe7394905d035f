/**
 * The guard against destructive commands, on what a command line means.
 *
 * @module
 */

import { compareBehaviors, type GateResult, gateResult } from "../call.ts";
import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import { formatPath } from "./absolute_path.ts";
import { codeFindings } from "./code_findings.ts";
import { type CommandContext, type CommandFinding, finding } from "./command_finding.ts";
import {
  type CommandWords,
  commandWords,
  givenOption,
  UNKNOWN,
  wordText,
} from "./command_words.ts";
import { DESTRUCTIVE_CONTROL, judgeDestructiveText } from "./destructive_patterns.ts";
import { isHarmless, isTabled, matchingFact } from "./destructive_facts.ts";
import { gitFindings } from "./git_command.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { overwriteFindings } from "./overwriting.ts";
import { isFileProgram } from "./file_programs.ts";
import { pathUses } from "./path_uses.ts";
import { programGrammar } from "./program_grammar.ts";
import { findFindings, isRemover, removalFindings, removalOf } from "./removal.ts";
import { runningFindings } from "./running.ts";
import { destructiveSql, isUnknownSql, SQL_CLIENTS } from "./sql.ts";
import { directoryPath } from "./word_path.ts";

/** How deep texts inside texts are read. */
const DEPTH_LIMIT = 4;

/** How much of a command a reason quotes. */
const QUOTE_LENGTH = 80;

/**
 * Judges a command line by what it means.
 *
 * @param call The call the line came with.
 * @param reading The line, read by `readCommandLine`.
 * @param context The workspace, the home, and what may be asked of the host.
 * @returns The strictest refusal, or `null` when the guard has no opinion.
 */
export async function judgeCommands(
  call: GuardedCall,
  reading: ShellReading,
  context: CommandContext,
): Promise<GateResult | null> {
  const worst = strictest(await commandFindings(reading, context));
  return worst === null ? null : commandResult(DESTRUCTIVE_CONTROL, call, reading, worst);
}

/** Everything the guard has to say against a line, in the order of the line. */
export async function commandFindings(
  reading: ShellReading,
  context: CommandContext,
): Promise<readonly CommandFinding[]> {
  return await readingFindings(reading, context, 0);
}

/** The strictest of several findings, the first of equals; `null` when there is none. */
export function strictest(findings: readonly CommandFinding[]): CommandFinding | null {
  let worst: CommandFinding | null = null;
  for (const found of findings) {
    if (worst === null || compareBehaviors(found.behavior, worst.behavior) > 0) worst = found;
  }
  return worst;
}

/** A finding as a control's result. */
export function commandResult(
  control: string,
  call: GuardedCall,
  reading: ShellReading,
  found: CommandFinding,
): GateResult {
  const text = reading.text.slice(found.span.start, found.span.end);
  const quoted = text.length > QUOTE_LENGTH ? `${text.slice(0, QUOTE_LENGTH)}…` : text;
  return gateResult({
    control,
    behavior: found.behavior,
    reason: `${
      found.behavior === "deny" ? "Refused" : "Asked about"
    } \`${quoted}\`: it ${found.effect}`,
    reasonCode: found.reasonCode,
    tool: call.tool,
    action: call.action,
    matchedRule: found.rule,
    advice: found.advice,
  });
}

async function readingFindings(
  reading: ShellReading,
  context: CommandContext,
  depth: number,
): Promise<CommandFinding[]> {
  const findings: CommandFinding[] = [];
  for (const command of reading.commands) {
    findings.push(...await oneCommand(command, reading, context, depth));
  }
  findings.push(...runningFindings(reading, context), ...notUnderstood(reading));
  return findings;
}

/** Every command that a command starts, through other launchers too. */
function openedBy(command: SimpleCommand, reading: ShellReading): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  const pending = [...command.opens];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const opened = reading.commands[index];
    if (opened === undefined || found.includes(opened)) continue;
    found.push(opened);
    pending.push(...opened.opens);
  }
  return found;
}

/** Programs that find files and hand them on. */
const SEARCHERS = /^(?:find|fd|fdfind)$/;

async function oneCommand(
  command: SimpleCommand,
  reading: ShellReading,
  context: CommandContext,
  depth: number,
): Promise<CommandFinding[]> {
  /** Reads a text that the command runs as a shell line of its own. */
  const readText = async (text: string, at: SimpleCommand): Promise<CommandFinding[]> => {
    if (context.read === undefined || depth >= DEPTH_LIMIT || text.includes(UNKNOWN)) {
      return [finding(at, {
        behavior: "escalate",
        rule: "a text that is run",
        effect: "runs a text as a command that is not looked into",
        reasonCode: "not-understood",
      })];
    }
    // The text runs where the command runs; where that is not known, nothing is taken for harmless.
    const folder = directoryPath(at.directory, context);
    const inside = { ...context, cwd: folder === null ? "/" : formatPath(folder) };
    const inner = await readingFindings(await context.read(text), inside, depth + 1);
    return inner.map((found) => Object.freeze({ ...found, span: at.span, command: at.index }));
  };
  const name = command.program.kind === "named" ? command.program.name : null;
  const findings: CommandFinding[] = [
    ...(SEARCHERS.test(name ?? "")
      ? findFindings(command, openedBy(command, reading), context)
      : []),
    ...tableFindings(command),
    ...sqlFindings(command),
  ];
  // Most commands need none of these, and waiting for nothing costs more than asking.
  if (isRemover(command)) findings.push(...await removalFindings(command, context));
  if (pathUses(command).length > 0) findings.push(...await overwriteFindings(command, context));
  if (name === "git") findings.push(...await gitFindings(command, context, readText));
  findings.push(...await codeFindings(command, readText));
  findings.push(...await unknownFindings(command, context));
  return findings;
}

/** What the tables say. `git` has a reader of its own. */
function tableFindings(command: SimpleCommand): CommandFinding[] {
  if (command.program.kind !== "named" || command.program.name === "git") return [];
  const { name, words } = asScript(command.program.name, command);
  const fact = matchingFact(name, words);
  if (fact !== null) {
    return [finding(command, {
      behavior: fact.behavior,
      rule: fact.name,
      effect: fact.effect,
      advice: fact.instead,
    })];
  }
  return isTabled(name) || isFileProgram(name) || isHarmless(words) ? [] : teardown(command, words);
}

/** Programs of the tables that are scripts of a project, started through an interpreter or a package manager. */
const PROJECT_SCRIPTS = new Set(
  ("manage.py artisan rails rake prisma drizzle-kit sequelize sequelize-cli typeorm knex mikro-orm supabase wrangler " +
    "vercel netlify firebase cdk cdktf sst serverless sls changeset lerna twine alembic").split(
      " ",
    ),
);
const SCRIPT_STARTERS = /^(?:python[\d.]*|php|ruby|node|bundle|pnpm|yarn|bun)$/;

/** `python manage.py flush` is the program `manage.py`, `yarn prisma` is `prisma`. */
function asScript(name: string, command: SimpleCommand): { name: string; words: CommandWords } {
  const given = command.words.slice(1);
  const words = commandWords(given, programGrammar(name));
  const script = words.operands[0];
  if (!SCRIPT_STARTERS.test(name) || script === undefined) return { name, words };
  const base = script.text.slice(script.text.lastIndexOf("/") + 1);
  if (!PROJECT_SCRIPTS.has(base)) return { name, words };
  const index = given.indexOf(script.word);
  return { name: base, words: commandWords(given.slice(index + 1), programGrammar(base)) };
}

/** Words with which programs we do not know take something down, and the options that answer their question. */
const TEARDOWN =
  /^(?:.*[:-])?(?:destroy|delete|remove|purge|wipe|nuke|teardown|drop|reset|prune|uninstall|terminate|obliterate|flush)(?:-all)?$/i;
const UNASKED = [
  "-y",
  "--yes",
  "-f",
  "--force",
  "--auto-approve",
  "--no-confirm",
  "--assume-yes",
  "--noinput",
  "--no-input",
  "--confirm",
];

/** Package managers in a project: what they remove comes back with the next installation. */
const PROJECT_TOOLS =
  /^(?:npm|pnpm|yarn|bun|pip|pip3|uv|poetry|pipenv|cargo|go|composer|bundle|gem|conda|mamba|pdm|deno|dotnet|mix|brew|make|cmake|ninja|task|just|nx|turbo|asdf|mise|nvm|rustup|code)$/;

function teardown(command: SimpleCommand, words: CommandWords): CommandFinding[] {
  if (command.program.kind !== "named" || PROJECT_TOOLS.test(command.program.name)) return [];
  const isTeardown = words.operands.slice(0, 3).some(({ text }) => TEARDOWN.test(text));
  const isUnasked = words.options.some(({ name }) => UNASKED.includes(name));
  if (!isTeardown || !isUnasked) return [];
  return [finding(command, {
    behavior: "escalate",
    rule: "remove without a question",
    effect: "takes something down with the program's own question switched off",
    advice: "Run it without the option that answers its question.",
  })];
}

function sqlFindings(command: SimpleCommand): CommandFinding[] {
  if (command.program.kind !== "named") return [];
  const { name } = command.program;
  const options = Object.hasOwn(SQL_CLIENTS, name) ? SQL_CLIENTS[name]! : null;
  if (options === null) return [];
  const words = commandWords(command.words.slice(1), {
    ...programGrammar(name),
    valued: [...programGrammar(name).valued ?? [], ...options],
  });
  if (isHarmless(words)) return [];
  const texts = [
    ...words.options.filter((option) => options.includes(option.name)).flatMap(({ value }) =>
      value ?? []
    ),
    // The first operand is the database; the others may be statements.
    ...words.operands.map(({ text }) => text).filter((text) => /\s|^\./.test(text)),
  ];
  if (command.stdin.kind === "text") texts.push(wordText(command.stdin.word));
  const findings: CommandFinding[] = [];
  for (const text of texts) {
    const fact = destructiveSql(text);
    if (fact !== null) {
      findings.push(finding(command, {
        behavior: fact.behavior,
        rule: fact.name,
        effect: fact.effect,
        advice: fact.instead,
      }));
    } else if (isUnknownSql(text)) {
      findings.push(finding(command, {
        behavior: "escalate",
        rule: "SQL UNKNOWN",
        effect: "runs statements that are known only when it runs",
        reasonCode: "not-understood",
        advice: "Write the statement out.",
      }));
    }
  }
  return findings;
}

/** A program that is not known, or one that we have no table for and that is handed a command. */
async function unknownFindings(
  command: SimpleCommand,
  context: CommandContext,
): Promise<CommandFinding[]> {
  if (command.program.kind === "unknown") {
    return await likeRemoval(command, command.words.slice(1), context);
  }
  if (command.program.kind !== "named" || command.role === "launches" || command.opens.length > 0) {
    return [];
  }
  const { name } = command.program;
  if (isTabled(name) || isFileProgram(name) || name === "git" || PROJECT_TOOLS.test(name)) {
    return [];
  }
  const at = command.words.findIndex((word, index) =>
    index > 0 && /^(?:\/\S*\/)?(?:rm|shred|unlink|rmdir)$/.test(word.value ?? "")
  );
  return at < 0 ? [] : await likeRemoval(command, command.words.slice(at + 1), context);
}

/** Judges words as those of `rm`: what they name would be lost if they are. */
async function likeRemoval(
  command: SimpleCommand,
  given: SimpleCommand["words"],
  context: CommandContext,
): Promise<CommandFinding[]> {
  const words = commandWords(given);
  if (givenOption(words, ["-r", "-R", "-f", "--recursive", "--force"]) === null) return [];
  const findings: CommandFinding[] = [];
  for (const { word } of words.operands) {
    const found = await removalOf(command, word, true, "rm", context);
    if (found !== null) findings.push(found);
  }
  return findings;
}

/** What is not understood is asked about, and refused where the text holds an obviously destructive word. */
function notUnderstood(reading: ShellReading): CommandFinding[] {
  return reading.reasons.map(({ code, message, span }) => {
    const isUnread = code === "syntax" || code === "too-long" || code === "too-deep";
    const isDestructive = isUnread &&
      judgeDestructiveText({ tool: "", action: "", args: { command: reading.text } }) !== null;
    return Object.freeze({
      behavior: isDestructive ? "deny" as const : "escalate" as const,
      rule: code,
      effect: `cannot be understood: ${message}`,
      advice: "Write it as plain commands, one after the other.",
      span,
      command: null,
      reasonCode: "not-understood" as const,
    });
  });
}
