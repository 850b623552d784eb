import type { CaseResult, Results } from "./results.ts";
import type { Spread } from "./statistics.ts";

const columns: readonly (readonly [title: string, read: (result: CaseResult) => string])[] = [
  ["", ({ label }) => label],
  ["bundle kB (gzip)", ({ bytes, gzipBytes }) => `${kilo(bytes)} (${kilo(gzipBytes)})`],
  ["import ms", ({ importMs }) => spread(importMs, 1)],
  ["import CPU ms", ({ importCpuMs }) => spread(importCpuMs, 1)],
  ["first ack ms", ({ firstMs }) => spread(firstMs, 1)],
  ["first ack CPU ms", ({ firstCpuMs }) => spread(firstCpuMs, 1)],
  ["warm CPU µs", ({ warmCpuUs }) => warmCpuUs.median.toFixed(0)],
  [
    "warm p50 / p99 µs",
    ({ warmP50Us, warmP99Us }) => `${warmP50Us.median.toFixed(0)} / ${warmP99Us.median.toFixed(0)}`,
  ],
  [
    "peak MB first / warm",
    ({ peakMegabytes, warmMegabytes }) =>
      `${peakMegabytes.median.toFixed(1)} / ${warmMegabytes.median.toFixed(0)}`,
  ],
];

/** Lays the results out as a Markdown table: median (90th percentile). */
export function toTable({ cases }: Results): string {
  const rows = [columns.map(([title]) => title), ...cases.map((one) => columns.map(([, read]) => read(one)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, index) => (index === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function spread({ median, p90 }: Spread, digits: number) {
  return `${median.toFixed(digits)} (${p90.toFixed(digits)})`;
}

function kilo(bytes: number) {
  return (bytes / 1000).toFixed(1);
}
