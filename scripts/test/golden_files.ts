import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of recorded answers, and how many there are in it. */
export interface GoldenFile {
  readonly name: string;
  readonly rows: number;
}

/** The recorded files below `tests/golden`, with the number of their rows; the tests fail unless every row is right. */
export async function goldenFiles(root: string): Promise<readonly GoldenFile[]> {
  const folder = join(root, "tests", "golden");
  const names = (await readdir(folder)).filter((name) => /\.jsonl?$/.test(name)).sort();
  return await Promise.all(names.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return { name, rows: name.endsWith(".jsonl") ? linesOf(text) : casesOf(text) };
  }));
}

function linesOf(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

function casesOf(text: string): number {
  const cases = (JSON.parse(text) as { cases?: unknown }).cases;
  return Array.isArray(cases) ? cases.length : 0;
}
