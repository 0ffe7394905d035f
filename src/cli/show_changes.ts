import { createTwoFilesPatch } from "diff";
import type { FileChange } from "../clients/install/changes.ts";
import type { Style } from "./style.ts";

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;

/** The changes as a unified diff, coloured for a terminal. */
export function showChanges(changes: readonly FileChange[], style: Style): string {
  return changes.map(({ path, before, after }) => {
    const patch = createTwoFilesPatch(
      before === null ? "/dev/null" : path,
      after === null ? "/dev/null" : path,
      before ?? "",
      after ?? "",
      undefined,
      undefined,
      { context: CONTEXT_LINES },
    );
    return patch.split("\n").filter((line) => !/^=+$/.test(line)).map((line) => {
      if (/^(?:---|\+\+\+) /.test(line)) return style.bold(line);
      if (line.startsWith("@@")) return style.blue(line);
      if (line.startsWith("+")) return style.green(line);
      if (line.startsWith("-")) return style.red(line);
      return line;
    }).join("\n");
  }).join("\n").trimEnd();
}
