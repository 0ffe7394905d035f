/** One line of the table that `deno task bench` prints. */
export interface BenchRow {
  /** What was measured. */
  readonly name: string;
  readonly measured: number;
  /** What the figure counts: `x R`, `ms`, `ns`, … */
  readonly unit: string;
  /** What we want; `null` when the row is only for orientation. */
  readonly goal: number | null;
  /** What it must be; `null` when the row is only for orientation. */
  readonly must: number | null;
  /** Whether a smaller figure is the better one, as it is unless this says otherwise. */
  readonly better?: "lower" | "higher";
}

/** Makes a row of which the smaller figure is the better one; without limits it is for orientation. */
export function row(
  name: string,
  measured: number,
  unit: string,
  goal: number | null = null,
  must: number | null = null,
): BenchRow {
  return { name, measured, unit, goal, must };
}

/** How far a row got. */
export type Reached = "goal" | "must" | "no" | "-";

/** Compares what was measured with what was wanted. */
export function reached(row: BenchRow): Reached {
  const isWithin = (limit: number) =>
    row.better === "higher" ? row.measured >= limit : row.measured <= limit;
  if (row.must === null) return "-";
  if (!isWithin(row.must)) return "no";
  return row.goal !== null && isWithin(row.goal) ? "goal" : "must";
}

/** The rows as a table in Markdown. */
export function benchTable(rows: readonly BenchRow[]): string {
  const sign = ({ better }: BenchRow) => better === "higher" ? ">=" : "<=";
  const limit = (row: BenchRow, value: number | null) =>
    value === null ? "" : `${sign(row)} ${figure(value)}`;
  const cells = rows.map((row) => [
    row.name,
    `${figure(row.measured)} ${row.unit}`,
    limit(row, row.goal),
    limit(row, row.must),
    reached(row),
  ]);
  const head = ["what", "measured", "goal", "must", "reached"];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column].length))
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => text.padEnd(widths[column])).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...cells.map(line)].join("\n");
}

/** Three significant digits, and no exponent. */
function figure(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 3)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}
