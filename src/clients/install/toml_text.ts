/**
 * The few edits of a TOML file that are needed, as edits of its text, so that comments and layout stay.
 *
 * @module
 */

/** A table's header, where it begins, and where its last line ends. */
interface Table {
  readonly header: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** The text with `key = value` in a table: changed where it stands, added under the header, or with a new table at the end. */
export function withTomlValue(text: string, header: string, key: string, value: string): string {
  const table = tables(text).find((table) => table.header === header);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const line = `${key} = ${value}`;
  if (table === undefined) {
    const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
    return `${text}${gap}[${header}]${eol}${line}${eol}`;
  }
  const body = text.slice(table.bodyStart, table.end);
  const present = valuePattern(key).exec(body);
  if (present !== null) {
    const at = table.bodyStart + present.index + present[1].length;
    return text.slice(0, at) + value + text.slice(at + present[2].trimEnd().length);
  }
  const needsEnd = table.bodyStart === text.length && !text.endsWith("\n");
  const addition = `${needsEnd ? eol : ""}${line}${eol}`;
  return text.slice(0, table.bodyStart) + addition + text.slice(table.bodyStart);
}

/** The text without a table, its values and one blank line in front of it. */
export function withoutTomlTable(text: string, header: string): string {
  const table = tables(text).find((table) => table.header === header);
  if (table === undefined) return text;
  const front = text.slice(0, table.start).replace(/(\r?\n)\r?\n$/, "$1");
  return front + text.slice(table.end);
}

/** A value as it is written in a table, without its comment; `null` when it is not there. */
export function tomlValue(text: string, header: string, key: string): string | null {
  for (const table of tables(text)) {
    if (table.header !== header) continue;
    const present = valuePattern(key).exec(text.slice(table.bodyStart, table.end));
    if (present !== null) return present[2].trim();
  }
  return null;
}

/** Whether a table has a header of its own. */
export function hasTomlTable(text: string, header: string): boolean {
  return tables(text).some((table) => table.header === header);
}

/** Whether a table is given in the short form `name = { … }` or `a.b = …`, beside which no header of its own may stand. */
export function hasInlineTable(text: string, header: string, key: string): boolean {
  const root = text.slice(0, tables(text)[0]?.start ?? text.length);
  const body = header === "" ? root : tables(text).filter((table) => table.header === header)
    .map((table) => text.slice(table.bodyStart, table.end)).join("\n");
  return new RegExp(`^[ \\t]*${escape(key)}[ \\t]*[.=]`, "m").test(body);
}

/** A text as a TOML string. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** Every table of the text. Lines inside multi-line strings and lists are no headers. */
function tables(text: string): readonly Table[] {
  const found: { header: string; start: number; bodyStart: number }[] = [];
  let inString: string | null = null;
  let depth = 0;
  for (const match of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const line = match[0];
    if (line === "") continue;
    const header = /^[ \t]*\[{1,2}([^\n]*?)\]{1,2}[ \t]*(?:#[^\n]*)?\r?\n?$/.exec(line);
    if (inString === null && depth === 0 && header !== null) {
      found.push({
        header: header[1].trim(),
        start: match.index,
        bodyStart: match.index + line.length,
      });
      continue;
    }
    [inString, depth] = scanLine(line, inString, depth);
  }
  return found.map((table, index) => ({
    ...table,
    end: found[index + 1]?.start ?? text.length,
  }));
}

/** Follows strings and brackets through a line. */
function scanLine(
  line: string,
  inString: string | null,
  depth: number,
): [inString: string | null, depth: number] {
  for (let index = 0; index < line.length; index++) {
    if (inString !== null) {
      if (inString.startsWith('"') && line[index] === "\\") index++;
      else if (line.startsWith(inString, index)) {
        index += inString.length - 1;
        inString = null;
      }
      continue;
    }
    const char = line[index];
    if (char === "#") break;
    if (char === '"' || char === "'") {
      const long = char.repeat(3);
      inString = line.startsWith(long, index) ? long : char;
      index += inString.length - 1;
    } else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth = Math.max(0, depth - 1);
  }
  // A short string ends with its line at the latest.
  return [inString?.length === 1 ? null : inString, depth];
}

function valuePattern(key: string): RegExp {
  return new RegExp(
    `^([ \\t]*${escape(key)}[ \\t]*=[ \\t]*)((?:"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|[^#\\r\\n])*)`,
    "m",
  );
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
