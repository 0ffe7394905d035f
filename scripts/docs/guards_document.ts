import { FACT_AREAS } from "../../src/guards/destructive_facts.ts";
import { OVERWRITE_FACTS } from "../../src/guards/overwriting.ts";
import {
  REGENERABLE_FILES,
  REGENERABLE_FOLDERS,
  TEMPORARY_FOLDERS,
} from "../../src/guards/places.ts";
import { PROTECTED_FILES } from "../../src/guards/protected_files.ts";
import { PROTECTED_NAMES } from "../../src/guards/path_rules.ts";
import { REMOVAL_FACTS } from "../../src/guards/removal.ts";
import { RUNNING_FACTS } from "../../src/guards/running.ts";
import { PROTECTED_PLACES } from "../../src/guards/self_places.ts";
import { SQL_FACTS } from "../../src/guards/sql.ts";

/** What every row of the tables has. */
interface Row {
  readonly name: string;
  readonly behavior: "deny" | "escalate" | "allow";
  readonly effect: string;
  readonly instead: string;
  readonly example: string;
}

/** The text of `docs/guards.md`, made from the guards' tables. */
export function guardsDocument(): string {
  const tables: [string, string, readonly Row[]][] = [
    [
      "Removing files",
      "By the place of what is removed: with `rm`, `unlink`, `shred`, `rimraf`, `find -delete`, `xargs rm` and the like, also through other programs that start them. One file of the workspace that is named goes through, unless git knows it and does not have what is in it now. What code like `python -c` removes is asked about, and refused where it names the top of the disk or a home.",
      Object.values(REMOVAL_FACTS),
    ],
    [
      "Writing over files",
      "With `>`, `tee`, `cp`, `mv`, `dd`, `truncate` and the other programs that write files. A file whose content git has may be written over.",
      Object.values(OVERWRITE_FACTS),
    ],
    [
      "Running what cannot be seen",
      "Besides these: what cannot be understood is asked about, and refused where a destructive word stands in it. Code on the command line passes when it plainly reads and computes.",
      Object.values(RUNNING_FACTS),
    ],
    [
      "SQL",
      "In the statements given to `psql`, `mysql`, `sqlite3` and other clients, as an option, an operand or on the standard input.",
      SQL_FACTS,
    ],
    ...FACT_AREAS.map(({ title, facts }): [string, string, readonly Row[]] => [title, "", facts]),
  ];
  return [
    "# What the built-in guards guard",
    "",
    "Made from the guards' tables by `bun scripts/document_guards.ts`; a test fails when this file is behind them. Each row is",
    "proved by a test that bears the rule's name (`tests/guards/tables.test.ts`): the example is answered as the row says, the",
    "advice passes, and neither the example's words in quotes, after `echo`, in a commit message, a comment or a document are",
    "taken for a command.",
    "",
    "The guard on paths (`guard:paths`) and the guard against destructive commands (`guard:destructive`) are on unless a",
    "configuration switches them off. With `mode: patterns` the second one only looks for ten patterns in the text; the tables",
    "below belong to `mode: parsed`.",
    "",
    "## Destructive commands",
    "",
    "Dry runs (`--dry-run`, `git push -n`, …), `--help`, words in quotes, comments and documents are no commands.",
    ...tables.flatMap(([title, text, rows]) => section(title, text, rows)),
    "",
    "## Paths",
    "",
    "Every tool is held to the same rules. Writing outside the workspace is refused, for the shell with the exception of the",
    `folders for temporary files (${
      code(TEMPORARY_FOLDERS)
    }) and of devices that lose nothing, such as \`/dev/null\`. Reading`,
    "outside the workspace is refused to the file tools and free to commands, as the configuration says. Links are followed to",
    "where they really lead. A file whose name is only known when a command runs is asked about when it is written to.",
    "",
    `Always protected, whatever their case: ${code(PROTECTED_NAMES)}.`,
    "",
    "| files | what they hold | guarded against | recognised by |",
    "|---|---|---|---|",
    ...PROTECTED_FILES.map((file) =>
      `| ${file.name} | it ${file.holds} | ${
        file.guards === "any" ? "reading and writing" : "writing"
      } | ${code(recognised(file))}${
        file.except === undefined ? "" : ` (not ${code(file.except)})`
      } |`
    ),
    "",
    "## What guards the agent",
    "",
    "Its own guard, `guard:self`, keeps these files as they are, whichever tool names them; they may be read. Only a person",
    "opens a window for changes (`gatehouse pause`).",
    "",
    "| files | why |",
    "|---|---|",
    ...PROTECTED_PLACES.map(({ tail, why }) => `| ${code([tail.join("/")])} | it ${cell(why)} |`),
    "",
    "## What a build makes again",
    "",
    "These may be removed without a question, below the workspace:",
    `${code(REGENERABLE_FOLDERS)}, and the files ${code(REGENERABLE_FILES)}.`,
    "",
    "## What the guards do not see",
    "",
    "- What a program does that is started by name: a script in the workspace, a build, a test run.",
    "- A file that another process swaps for a link between the check and the use.",
    "- Lines for `cmd` and PowerShell: they are asked about and not read.",
    "- On Windows, paths in commands beyond plain names below the workspace: writing to them is asked about.",
    "",
  ].join("\n");
}

function section(title: string, text: string, rows: readonly Row[]): string[] {
  return [
    "",
    `### ${title}`,
    "",
    ...(text === "" ? [] : [text, ""]),
    "| rule | answer | it … | for example | instead |",
    "|---|---|---|---|---|",
    ...rows.map((row) =>
      `| ${cell(row.name)} | ${ANSWERS[row.behavior]} | ${cell(row.effect)} | ${
        code([row.example])
      } | ${code([row.instead])} |`
    ),
  ];
}

const ANSWERS = { deny: "refuse", escalate: "ask", allow: "let through" } as const;

function recognised(
  { names = [], anywhere = [], home = [], absolute = [] }: typeof PROTECTED_FILES[number],
): string[] {
  return [...names, ...anywhere, ...home.map((path) => `~/${path}`), ...absolute];
}

function code(texts: readonly string[]): string {
  return texts.map((text) => {
    const fence = text.includes("`") ? "``" : "`";
    return `${fence}${cell(text)}${fence}`;
  }).join(", ");
}

/** A table's cell takes no bars of its own. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ⏎ ");
}
