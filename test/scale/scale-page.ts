import { type ModelOutcome, modelLoad } from "./model.ts";
import { count, toTable } from "./page.ts";
import { playLoad } from "./play-load.ts";
import { billOf } from "./prices.ts";
import { type Quota, quotas } from "./quotas.ts";
import { calibrations, type Scenario, scenarios } from "./scenarios.ts";

/** How far the model may be from the real code, in shares. */
export const tolerance = 0.2;

/** The quantities that the model and the real code are compared by. */
export interface Comparison {
  readonly name: string;
  readonly quantity: string;
  readonly harness: number;
  readonly model: number;
}

/** Plays and models the loads of the calibration. */
export async function calibrate(which: readonly Scenario[] = calibrations): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const { name, load } of which) {
    const [harness, model] = [await playLoad(load), modelLoad(load)];
    const compare = (quantity: string, of: "p50Ms" | "p99Ms" | "batch" | "consumerSeconds", scale = 1) =>
      comparisons.push({ name, quantity, harness: harness[of] * scale, model: model[of] * scale });
    compare("median, ms", "p50Ms");
    compare("99 %, ms", "p99Ms");
    compare("average batch", "batch");
    compare("consumer's ms a webhook", "consumerSeconds", 1_000);
  }
  return comparisons;
}

export function quotaTable(): string {
  const rows: readonly (readonly [string, Quota])[] = Object.entries(quotas);
  return toTable(
    ["Quota", "default", "of what", "moved by"],
    rows.map(([name, { value, unit, source, moves }]) => [`[${name}](${source})`, count(value), unit, moves]),
    4,
  );
}

/** Makes one line of the table of scenarios; equal in every run. */
export function scenarioRow({ name, load }: Scenario): readonly string[] {
  const outcome = modelLoad(load);
  return [
    name,
    inOrder(outcome),
    time(outcome.p50Ms),
    time(outcome.p99Ms),
    count(outcome.backlogPeak),
    time(outcome.drainedSeconds * 1_000),
    count(outcome.retried),
    count(outcome.refused),
    count(billOf(outcome.counted).sum, 2),
  ];
}

export function scenarioTable(rows: readonly (readonly string[])[]): string {
  return toTable(
    [
      "Load",
      "gives out, in this order (after)",
      "median",
      "99 %",
      "most at once under way",
      "drained after the end",
      "deliveries tried again",
      "given up",
      "USD per million",
    ],
    rows,
    2,
  );
}

export function allRows(): readonly (readonly string[])[] {
  return scenarios.map(scenarioRow);
}

function inOrder({ hits }: ModelOutcome): string {
  const names = [...hits].map(([name, { firstSecond }]) => `${name} (${time(firstSecond * 1_000)})`);
  return names.length === 0 ? "nothing" : names.join(", ");
}

/** Two digits are what such figures are good for. */
function time(ms: number): string {
  const round = (value: number) => String(Number(value.toPrecision(2)));
  if (ms < 1_000) return `${round(ms)} ms`;
  if (ms < 120_000) return `${round(ms / 1_000)} s`;
  return `${round(ms / 60_000)} min`;
}
