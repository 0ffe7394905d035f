/**
 * Puts hooks into a JSON settings file and takes them out, keeping its comments, order and layout.
 *
 * @module
 */

import {
  applyEdits,
  type FormattingOptions,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from "jsonc-parser";
import { InstallationError } from "./installation.ts";

/** One entry of `hooks.EVENT`. */
export interface HookEntry {
  readonly event: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Tells our entries from other people's. */
export type IsOurs = (hook: unknown) => boolean;

/**
 * The text with every entry in its event's list: changed where ours stands already, else at the end.
 *
 * @param text The file's text, `null` when there is no file.
 * @param path The file's path, for messages.
 * @param skeleton What a new file holds besides.
 * @throws {InstallationError} when the text is not JSON of the expected shape.
 */
export function withHooks(
  text: string | null,
  path: string,
  entries: readonly HookEntry[],
  isOurs: IsOurs,
  skeleton: Readonly<Record<string, unknown>> = {},
): string {
  if (text === null || text.trim() === "") {
    const hooks = Object.fromEntries(entries.map(({ event, value }) => [event, [value]]));
    return `${JSON.stringify({ ...skeleton, hooks }, null, 2)}\n`;
  }
  const edit = new TextEdit(text, path);
  for (const { event, value } of entries) {
    const list = eventList(edit, event);
    const at = list.findIndex((entry) => isOursWhole(entry, isOurs));
    if (at < 0) edit.insert(["hooks", event], list.length, value);
    else if (!sameJson(list[at], value)) edit.set(["hooks", event, at], value);
  }
  return edit.text();
}

/**
 * The text without our entries, and without the lists and objects that this leaves empty.
 *
 * @returns `null` when nothing but `skeleton` is left; the same text when nothing in it is ours.
 */
export function withoutHooks(
  text: string,
  path: string,
  isOurs: IsOurs,
  skeleton: Readonly<Record<string, unknown>> = {},
): string | null {
  const edit = new TextEdit(text, path);
  const hooks = edit.value(["hooks"]);
  if (!isRecord(hooks)) return text;
  let found = false;
  for (const event of Object.keys(hooks)) {
    const list = hooks[event];
    if (!Array.isArray(list)) continue;
    let left = list.length;
    for (let at = list.length - 1; at >= 0; at--) {
      const inner = innerHooks(list[at]);
      if (isOursWhole(list[at], isOurs)) {
        found = true;
        left--;
        if (left > 0) edit.remove(["hooks", event, at]);
        continue;
      }
      // A person may have put a hook of their own beside ours.
      for (let hook = inner.length - 1; hook >= 0; hook--) {
        if (!isOurs(inner[hook])) continue;
        found = true;
        edit.remove(["hooks", event, at, "hooks", hook]);
      }
    }
    if (left === 0 && list.length > 0) edit.remove(["hooks", event]);
  }
  if (!found) return text;
  const rest = edit.value(["hooks"]);
  if (isRecord(rest) && Object.keys(rest).length === 0) edit.remove(["hooks"]);
  return sameJson(edit.value([]), skeleton) ? null : edit.text();
}

/** The value of a JSON text with comments; `undefined` when it is no JSON. */
export function jsonValue(text: string): unknown {
  try {
    return new TextEdit(text, "").value([]);
  } catch {
    return undefined;
  }
}

/** Every hook of an event in a JSON text, those in groups too. */
export function hooksOf(text: string, event: string): readonly unknown[] {
  const value = jsonValue(text);
  const hooks = isRecord(value) ? value.hooks : undefined;
  const list = isRecord(hooks) ? hooks[event] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const inner = innerHooks(entry);
    return inner.length > 0 ? inner : [entry];
  });
}

function eventList(edit: TextEdit, event: string): readonly unknown[] {
  const hooks = edit.value(["hooks"]);
  if (hooks !== undefined && !isRecord(hooks)) edit.fail(`"hooks" is not an object`);
  const list = edit.value(["hooks", event]);
  if (list === undefined) return [];
  if (!Array.isArray(list)) return edit.fail(`"hooks.${event}" is not a list`);
  return list;
}

function isOursWhole(entry: unknown, isOurs: IsOurs): boolean {
  if (isOurs(entry)) return true;
  const inner = innerHooks(entry);
  return inner.length > 0 && inner.every(isOurs);
}

function innerHooks(entry: unknown): readonly unknown[] {
  return isRecord(entry) && Array.isArray(entry.hooks) ? entry.hooks : [];
}

/** A JSON text under edit. */
class TextEdit {
  readonly #byteOrderMark: string;
  readonly #path: string;
  readonly #format: FormattingOptions;
  #text: string;

  constructor(text: string, path: string) {
    this.#byteOrderMark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    this.#text = text.slice(this.#byteOrderMark.length);
    this.#path = path;
    this.#format = formatOf(this.#text);
    if (!isRecord(this.value([]))) this.fail("it is not a JSON object");
  }

  text(): string {
    return this.#byteOrderMark + this.#text;
  }

  value(path: JSONPath): unknown {
    const errors: { offset: number }[] = [];
    const root = parseTree(this.#text, errors as never, { allowTrailingComma: true });
    if (errors.length > 0 || root === undefined) {
      const line = this.#text.slice(0, errors[0]?.offset ?? 0).split("\n").length;
      return this.fail(`line ${line} is not JSON`);
    }
    let node: Node | undefined = root;
    for (const step of path) node = node === undefined ? undefined : childOf(node, step);
    return node === undefined ? undefined : getNodeValue(node);
  }

  set(path: JSONPath, value: unknown): void {
    this.#apply(path, value, false);
    if (!sameJson(this.value(path), value)) {
      this.fail("its layout is too unusual to change it safely");
    }
  }

  insert(list: JSONPath, at: number, value: unknown): void {
    if (at === 0 && this.value(list) === undefined) this.set(list, [value]);
    else {
      const before = this.value(list) as unknown[];
      this.#apply([...list, at], value, true);
      if (!sameJson(this.value(list), [...before, value])) {
        this.fail("its layout is too unusual to change it safely");
      }
    }
  }

  remove(path: JSONPath): void {
    this.#apply(path, undefined, false);
    this.value(path);
  }

  fail(reason: string): never {
    throw new InstallationError(
      `Cannot edit ${this.#path}: ${reason}. Repair the file, then run the command again.`,
    );
  }

  #apply(path: JSONPath, value: unknown, isArrayInsertion: boolean): void {
    const edits = modify(this.#text, path, value, {
      formattingOptions: this.#format,
      isArrayInsertion,
    });
    this.#text = applyEdits(this.#text, edits);
  }
}

function childOf(node: Node, step: string | number): Node | undefined {
  if (typeof step === "number") return node.type === "array" ? node.children?.[step] : undefined;
  if (node.type !== "object") return undefined;
  // Of two keys of the same name the last one counts, as for the clients.
  return node.children?.findLast((property) => property.children?.[0].value === step)?.children
    ?.[1];
}

/** The indentation and line ends that the text has already. */
function formatOf(text: string): FormattingOptions {
  const indent = /^[ \t]+(?=["\]}/])/m.exec(text)?.[0] ?? "  ";
  const insertSpaces = !indent.includes("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    keepLines: true,
  };
}

function sameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length &&
      left.every((value, index) => sameJson(value, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return left === right;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
