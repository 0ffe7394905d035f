import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { type ConfigurationProblem } from "./configuration_error.ts";

/** A YAML text that was read: its value, and where everything in it stands. */
export interface YamlSource {
  readonly value: unknown;
  /** Where the value at a path stands; the key, when `of` is `key`. Falls back to the nearest part that exists. */
  position(path: readonly PropertyKey[], of?: "value" | "key"): { line: number; column: number };
}

/** Reads YAML and remembers positions. Returns the problems instead when it cannot be read. */
export function readYaml(text: string): YamlSource | { problems: ConfigurationProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
  const found = [...document.errors, ...document.warnings];
  if (found.length > 0) {
    return {
      problems: found.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return { line: line || 1, column: col || 1, message: error.message, fix: null };
      }),
    };
  }
  const at = (offset: number | undefined): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: line || 1, column: col || 1 };
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { problems: [{ line: 1, column: 1, message: (error as Error).message, fix: null }] };
  }
  return {
    value,
    position(path, of = "value") {
      let node: unknown = document.contents;
      let offset = rangeStart(node);
      for (const [index, step] of path.entries()) {
        const next = childOf(node, step);
        if (next === null) break;
        const wantsKey = of === "key" && index === path.length - 1;
        offset = rangeStart(wantsKey ? next.key ?? next.value : next.value) ?? offset;
        node = next.value;
      }
      return at(offset);
    },
  };
}

function childOf(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | null {
  if (isMap(node)) {
    for (const pair of node.items) {
      if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(step)) {
        return { key: pair.key, value: pair.value ?? pair.key };
      }
    }
    return null;
  }
  if (isSeq(node) && typeof step === "number" && step < node.items.length) {
    return { key: null, value: node.items[step] };
  }
  return null;
}

function rangeStart(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
