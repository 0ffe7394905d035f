/**
 * What code on a command line does, as findings.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { type CommandFinding, finding } from "./command_finding.ts";
import { UNKNOWN, wordText } from "./command_words.ts";
import { inlineCode } from "./inline_code.ts";

/**
 * Judges the code that a command is given, as an operand or on its input.
 *
 * @param readText Judges a text as a shell line.
 */
export async function codeFindings(
  command: SimpleCommand,
  readText: (text: string, command: SimpleCommand) => Promise<CommandFinding[]>,
): Promise<CommandFinding[]> {
  if (command.code.length === 0) return runsUnreadCode(command) ? [unreadCode(command)] : [];
  const findings: CommandFinding[] = [];
  for (const { language, word } of command.code) {
    const code = wordText(word);
    const found = inlineCode(language, code);
    switch (found.kind) {
      case "reads":
        break;
      case "deletes":
        findings.push(finding(command, {
          behavior: namesTop(code) ? "deny" : "escalate",
          rule: "code that removes",
          effect: `removes files in ${language} code (${found.call})`,
          advice: "Name the files and remove them with rm.",
        }));
        break;
      case "starts": {
        // What it starts may stand in one of its texts.
        const inner: CommandFinding[] = [];
        for (const text of found.texts) {
          if (/\s/.test(text)) {
            inner.push(
              ...(await readText(text, command)).filter(({ behavior }) => behavior === "deny"),
            );
          }
        }
        findings.push(
          ...inner,
          finding(command, {
            behavior: "escalate",
            rule: "code that starts programs",
            effect: `starts programs from ${language} code (${found.call})`,
            advice: "Run the program itself, on the command line.",
          }),
        );
        break;
      }
      case "unknown":
        findings.push(finding(command, {
          behavior: "escalate",
          rule: "code that is not plainly reading",
          effect: `runs ${language} code that may do more than read (${
            found.call.replaceAll(UNKNOWN, "…")
          })`,
          reasonCode: "not-understood",
          advice:
            "Write the code to a file in the workspace and run that, or use the tools for files.",
        }));
        break;
      default:
        found satisfies never;
    }
  }
  return findings;
}

/** Interpreters whose languages are not looked into, and those that are told to read their code from the input. */
const UNREAD_INTERPRETERS =
  /^(?:tclsh|wish|expect|guile|sbcl|clisp|racket|clj|clojure|elixir|iex|erl|escript|ghci|runghc|swift|julia|octave|R|Rscript|groovy|scala|jshell|kotlin|irb|pry|ipython|psysh|ts-node|tsx|deno|bun|ed|ex)$/;

/** Whether a program is given code on its input, as a text on the line or from another command, that is not read. */
function runsUnreadCode(command: SimpleCommand): boolean {
  if (command.program.kind !== "named" || !UNREAD_INTERPRETERS.test(command.program.name)) {
    return false;
  }
  if (command.stdin.kind !== "text" && command.stdin.kind !== "pipe") return false;
  const operands = command.words.slice(1).map(wordText).filter((text) => !/^-./.test(text));
  const { name } = command.program;
  if (name === "ed" || name === "ex") return true;
  if (name === "deno" || name === "bun") return operands[0] === "run" && operands.includes("-");
  return operands.length === 0 || operands.includes("-");
}

function unreadCode(command: SimpleCommand): CommandFinding {
  return finding(command, {
    behavior: "escalate",
    rule: "code that is not plainly reading",
    effect: "runs code from its input that is not looked into",
    reasonCode: "not-understood",
    advice: "Write the code to a file in the workspace and run that, or use the tools for files.",
  });
}

/** Whether code names the top of the disk or a home. */
function namesTop(code: string): boolean {
  return /["'](?:\/|~\/?|\/(?:etc|usr|home|var|bin|boot|root|opt)(?:\/[\w.-]*)?\/?|\/Users\/?[\w.-]*)["']|\bhomedir\(\)|Path\.home\(\)\s*\)|expanduser\(["']~["']\)/
    .test(code);
}
