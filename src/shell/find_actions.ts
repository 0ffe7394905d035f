import { exactText, replaceInWord, spanOfWords } from "./command_parts.ts";
import type { ShellWord, WordPart } from "./facts.ts";
import type { Draft, Frame, Printed, Reading } from "./reading.ts";
import { launchFrame } from "./run_script.ts";

/** Actions of `find` and `fd` that run a command, and whether it runs in the file's own folder. */
const ACTIONS: ReadonlyMap<string, { readonly elsewhere: boolean }> = new Map([
  ["-exec", { elsewhere: false }],
  ["-ok", { elsewhere: false }],
  ["-execdir", { elsewhere: true }],
  ["-okdir", { elsewhere: true }],
  ["-x", { elsewhere: false }],
  ["-X", { elsewhere: false }],
  ["--exec", { elsewhere: false }],
  ["--exec-batch", { elsewhere: false }],
]);

/** The programs that have them. */
export const FINDERS: ReadonlySet<string> = new Set(["find", "gfind", "fd", "fdfind"]);

/** Reads the commands that `find … -exec` starts. */
export function runFinder(reading: Reading, draft: Draft, frame: Frame, name: string): Printed {
  const { words } = draft;
  const fd = name.startsWith("fd");
  reading.spend(words.length);
  for (let index = 1; index < words.length; index++) {
    const action = exactText(words[index]) ?? "";
    const known = ACTIONS.get(action);
    if (known === undefined || fd === /^-(exec|ok)/.test(action)) continue;
    const start = index + 1;
    let end = start;
    while (end < words.length && !endsAction(words, end, fd)) end++;
    const command = words.slice(start, end);
    const many = exactText(words[end]) === "+" || action === "-X" || action === "--exec-batch";
    if (command.length > 0) {
      runAction(reading, draft, frame, name, command, many, fd, known.elsewhere);
    }
    index = end;
  }
  return null;
}

function endsAction(words: readonly ShellWord[], at: number, fd: boolean): boolean {
  const text = exactText(words[at]);
  return text === ";" || (!fd && text === "+" && exactText(words[at - 1]) === "{}");
}

function runAction(
  reading: Reading,
  draft: Draft,
  frame: Frame,
  name: string,
  command: readonly ShellWord[],
  many: boolean,
  fd: boolean,
  elsewhere: boolean,
): void {
  const file: WordPart = {
    kind: "unknown",
    source: "found-file",
    text: "{}",
    name: null,
    mayBeEmpty: false,
  };
  const words = command.map((word) => replaceInWord(word, "{}", file));
  const appended = fd && words.every((word, index) => word === command[index]);
  const inner = launchFrame(frame, draft, name, ["operands-from-files"], "launcher");
  const { state } = reading;
  const mark = state.mark();
  if (elsewhere) {
    state.flags = { ...state.flags, directory: { base: "unknown" }, otherDirectories: [] };
  }
  reading.admit({
    words,
    span: spanOfWords(command),
    assignments: [],
    redirections: [],
    environment: [],
    joinedBy: null,
    unseenOperands: many || appended ? "found-files" : null,
    lookup: "path",
  }, inner);
  state.restore(mark);
}
