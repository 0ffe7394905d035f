/** One path that differs from HEAD, as `git status --porcelain=v2` tells it. */
export interface TreeEntry {
  /** Relative to the top of the working tree. */
  readonly path: string;
  /** `X` and `Y` of git's own two letters; `??` for an untracked path. */
  readonly code: string;
  /** What git knows of the entry besides its path: modes and object names. Two equal texts are one state. */
  readonly state: string;
  /** Whether it is a submodule. */
  readonly submodule: boolean;
}

/** A working tree and what of it differs from HEAD. */
export interface WorkingTree {
  /** HEAD's commit; `null` before the first one. */
  readonly head: string | null;
  /** The branch; `null` when HEAD is detached. */
  readonly branch: string | null;
  readonly entries: readonly TreeEntry[];
  /** Whether `entries` is only the beginning of a longer list. */
  readonly cut: boolean;
}

/** Fields before the path, by the letter a line begins with. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, "2": 9, "u": 10 };

/** Reads the output of `git status --porcelain=v2 --branch -z`. */
export function parseWorkingTree(output: string, cut: boolean): WorkingTree {
  const entries: TreeEntry[] = [];
  let head: string | null = null;
  let branch: string | null = null;
  const records = output.split("\0");
  // What follows the last NUL is nothing, or half a record.
  records.pop();
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    const letter = record[0];
    if (letter === "#") {
      const [, name, value] = record.split(" ");
      if (name === "branch.oid") head = value === "(initial)" ? null : value;
      if (name === "branch.head") branch = value === "(detached)" ? null : value;
    } else if (letter === "?") {
      entries.push({ path: record.slice(2), code: "??", state: "??", submodule: false });
    } else if (letter in FIELDS_BEFORE_PATH) {
      const fields = record.split(" ");
      const before = FIELDS_BEFORE_PATH[letter];
      entries.push({
        path: fields.slice(before).join(" "),
        code: fields[1],
        state: fields.slice(1, before).join(" "),
        submodule: fields[2][0] === "S",
      });
      // A rename names its source in a record of its own.
      if (letter === "2") index++;
    }
  }
  return { head, branch, entries, cut };
}
