import type { JourneyDetail } from "../../../api/journeys.ts";

export interface WaterfallRow {
  readonly label: string;
  readonly startMs: number;
  /** Undefined while it runs. */
  readonly durationMs: number | undefined;
  readonly kind: "platform" | "receiver" | "queue" | "trigger" | "call";
}

export function toWaterfall({ row, tries, received, handling }: JourneyDetail): readonly WaterfallRow[] {
  const rows: WaterfallRow[] = [
    ...tries.map(({ number, atMs: startMs, durationMs }) => ({
      ...{ label: `delivery, attempt ${number}`, startMs, durationMs },
      kind: "platform" as const,
    })),
    ...received.map(({ atMs: startMs, durationMs }) => ({
      ...{ label: "receiver", startMs, durationMs },
      kind: "receiver" as const,
    })),
    ...handling.flatMap(({ attempts }) =>
      attempts.flatMap((attempt) => {
        const { number, atMs, durationMs, waitedMs = 0, runs } = attempt;
        const waited = { label: "in the queue", startMs: atMs - waitedMs, durationMs: waitedMs };
        return [
          ...(waitedMs > 0 ? [{ ...waited, kind: "queue" as const }] : []),
          ...runs
            .filter(({ outcome }) => outcome !== "off" && outcome !== "condition")
            .flatMap((run) => [
              {
                label: attempt.number > 1 ? `${run.handler}, attempt ${number}` : run.handler,
                startMs: run.atMs,
                durationMs: run.durationMs,
                kind: "trigger" as const,
              },
              ...run.calls.map((call) => ({
                label: call.operation ?? `${call.method} ${call.path}`,
                startMs: call.atMs,
                durationMs: call.durationMs,
                kind: "call" as const,
              })),
            ]),
          ...(runs.length === 0
            ? [{ label: `attempt ${number}`, startMs: atMs, durationMs, kind: "trigger" as const }]
            : []),
        ];
      }),
    ),
  ];
  return rows.map((one) => ({ ...one, startMs: Math.max(one.startMs, row.atMs) }));
}

export function placeBars(
  rows: readonly WaterfallRow[],
  fromMs: number,
): readonly (WaterfallRow & { readonly left: number; readonly width: number })[] {
  const endMs = Math.max(fromMs + 1, ...rows.map(({ startMs, durationMs = 0 }) => startMs + durationMs));
  const percent = (ms: number) => (100 * ms) / (endMs - fromMs);
  return rows.map((row) => ({
    ...row,
    left: Math.min(99, percent(row.startMs - fromMs)),
    width: Math.max(0.6, percent(row.durationMs ?? endMs - row.startMs)),
  }));
}
