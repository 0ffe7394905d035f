/**
 * Which folders and files of this machine a container is given to write in.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { isWordOf, type WordList } from "../shell/word_list.ts";
import { wordText } from "./command_words.ts";

const CONTAINER_PROGRAMS: WordList = " docker podman nerdctl ";

/**
 * The paths of this machine that a command mounts into a container and that the container may change, as they are
 * written; a volume's name is among them.
 */
export function writableMounts(command: SimpleCommand): readonly string[] {
  const { program, words } = command;
  if (program.kind !== "named" || !isWordOf(CONTAINER_PROGRAMS, program.name)) return [];
  const texts = words.map(wordText);
  const found: string[] = [];
  for (const [at, text] of texts.entries()) {
    const volume = /^(?:-v|--volume)(?:=|$)/.test(text);
    const mount = /^--mount(?:=|$)/.test(text);
    if (!volume && !mount) continue;
    const sign = text.indexOf("=");
    const value = sign < 0 ? texts[at + 1] ?? "" : text.slice(sign + 1);
    const source = volume ? volumeSource(value) : mountSource(value);
    if (source !== null) found.push(source);
  }
  return found;
}

/** `/here:/there`, `/here:/there:ro,z` */
function volumeSource(value: string): string | null {
  const [source = "", target, options = ""] = value.split(":");
  if (target === undefined || options.split(",").includes("ro")) return null;
  return source;
}

/** `type=bind,source=/here,target=/there,readonly` */
function mountSource(value: string): string | null {
  let source: string | null = null;
  for (const field of value.split(",")) {
    const [name, of = "true"] = field.split("=");
    if (name === "source" || name === "src") source = of;
    if ((name === "readonly" || name === "ro") && of !== "false") return null;
  }
  return source;
}
