import { expect, it } from "vitest";
import {
  changedAtMsOf,
  checkDeliveries,
  countLosses,
  endsWithDelivery,
} from "../../../../lib/operate/doctor/check-deliveries.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";

const minuteMs = Date.UTC(2026, 2, 2, 8);
/** In the middle of the minute in which deliveries are refused. */
const changed = { updatedAt: minuteMs / 1000 + 30 };
const handOver = "npx cometchat-functions reconcile --app app-1 --since 2026-03-02T04:55:00Z --stage prod";
const refused = /^The receiver refused 3 deliveries: .* The latest: 08:00Z\.$/;

/** Includes a refusal of three hours earlier. */
const countedIn = (startSeconds: number, minutes: readonly number[]) =>
  [...minutes, -180].map((minute) => minuteMs / 1000 + minute * 60).filter((at) => at >= startSeconds);

type Services = Required<Parameters<typeof checkDeliveries>[1]>;

interface Written {
  /** Default: `DeliveryUnauthorized`, three times in the first minute. */
  readonly metric?: string;
  readonly minutes?: readonly number[];
  readonly nowMinute?: number;
  readonly handledMinutes?: readonly number[];
  readonly countedAtMs?: number;
  readonly handledAtMs?: number;
  readonly deliveredAtMs?: number;
}

const servicesOf = (written: Written): Services => {
  const { metric = "DeliveryUnauthorized", minutes = [0], nowMinute = 10 } = written;
  const { handledAtMs = 0, handledMinutes = [], countedAtMs = 0 } = written;
  const handledAt = [handledAtMs, ...handledMinutes.map((minute) => minuteMs + minute * 60_000 + 1)];
  return {
    callAws: async ({ input }) => ({
      MetricDataResults: Object(input).MetricDataQueries.map(
        ({ Id, MetricStat }: { Id: string; MetricStat: { Metric: { MetricName: string } } }) =>
          MetricStat.Metric.MetricName === metric && Object(input).StartTime <= minuteMs / 1000
            ? {
                Id,
                Timestamps: countedIn(Object(input).StartTime, minutes),
                Values: [...minutes.map(() => 3), 1],
              }
            : { Id, Timestamps: [], Values: [] },
      ),
    }),
    remedies: remediesFor("--stage prod"),
    now: () => minuteMs + nowMinute * 60_000,
    recentLogs: {
      failing: async () => [],
      crashes: async () => new Map(),
      runningTrigger: async () => undefined,
      hasArrived: async () => false,
      hasCounted: async (_app, _metric, sinceMs, untilMs) => countedAtMs >= sinceMs && countedAtMs < untilMs,
      lastDelivered: async () => written.deliveredAtMs,
      hasHandled: async (_app, sinceMs, untilMs = Infinity) =>
        handledAt.some((at) => at >= sinceMs && at <= untilMs),
    },
  };
};

const look = (webhooks: readonly (typeof changed)[], written: Written | undefined, more = {}) => {
  const { recentLogs, ...services } = servicesOf(written ?? {});
  const changedAtMs = changedAtMsOf(webhooks, services);
  return checkDeliveries(
    "app-1",
    { ...services, ...(written !== undefined && { recentLogs }) },
    { changedAtMs, changedFromMs: changedAtMs - 1_000, isKnown: true, over: [], ...more },
  );
};

it("reports unknown if the webhooks cannot be read", async () => {
  expect(await look([], {}, { isKnown: false })).toMatchObject([{ status: "unknown" }]);
});

it("reports unknown without logs in the minute of a change", async () => {
  expect(await look([changed], undefined)).toMatchObject([{ status: "unknown" }]);
});

it("reports refusals as over once their cause is gone", async () => {
  expect(await look([], {}, { over: ["DeliveryUnauthorized"] })).toMatchObject([{ status: "ok" }]);
});

it.each([
  ["no change", [], {}, refused],
  [
    "refused before the change, in its minute",
    [changed],
    { countedAtMs: minuteMs + 20_000 },
    "the next event",
  ],
  ["refused in the second of the change", [changed], { countedAtMs: minuteMs + 30_100 }, refused],
  ["refused after the change, in its minute", [changed], { countedAtMs: minuteMs + 40_000 }, refused],
  [
    "refused after the change, and handled later",
    [changed],
    { countedAtMs: minuteMs + 40_000, handledAtMs: minuteMs + 70_000 },
    "and is fixed",
  ],
  ["before the minute of a change", [{ updatedAt: minuteMs / 1000 + 90 }], {}, "the next event"],
  ["handled in that minute", [], { handledAtMs: minuteMs + 50_000 }, refused],
  ["handled afterwards", [], { handledAtMs: minuteMs + 70_000 }, "and is fixed"],
] as const)(
  "distinguishes past refusals from current ones: %s",
  async (_case, webhooks, written, expected) => {
    const found = await look(webhooks, written);

    expect(found).toEqual([
      expected === refused
        ? expect.objectContaining({ status: "wrong", says: expect.stringMatching(refused) })
        : expect.objectContaining({
            ...(expected === "and is fixed" ? { status: "ok" } : { status: "unknown", because: "no event" }),
            says: expect.stringContaining(handOver),
          }),
    ]);
    expect(found[0]?.says).toMatch(expected);
  },
);

it.each([
  ["refusals with no handled event between them", "DeliveryUnauthorized", [0, 3], [5], 10, "ok"],
  ["refusals with a handled event between them", "DeliveryUnauthorized", [0, 3], [2, 5], 10, "wrong"],
  ["such refusals, a quarter of an hour later", "DeliveryUnauthorized", [0, 3], [2, 5], 19, "ok"],
  ["an event that was handled between failed stores", "DeliveryNotStored", [0, 3], [2], 19, "wrong"],
  ["a cause that does not block events", "TwoWebhooks", [0], [5], 10, "wrong"],
  ["questions", "QuestionUnauthorized", [0], [5], 10, "wrong"],
  ["questions, a quarter of an hour later", "QuestionUnauthorized", [0], [5], 16, "ok"],
] as const)(
  "counts a handled event as a fix only for causes that block events: %s",
  async (_case, metric, minutes, handledMinutes, nowMinute, status) => {
    expect(await look([], { metric, minutes, handledMinutes, nowMinute })).toMatchObject([{ status }]);
  },
);

it.each([
  [[5], true],
  [[2, 5], false],
])("judges losses of five days the same way: handled in %j", async (handledMinutes, isOver) => {
  const losses = await countLosses("app-1", servicesOf({ minutes: [0, 3], handledMinutes }));

  expect(await losses?.areOver()).toBe(isOver);
});

it.each([
  ["DeliveryUnauthorized", [], true],
  ["DeliveryUnauthorized", [2], false],
  ["TwoEngines", [], false],
  ["QuestionUnauthorized", [], false],
] as const)("decides whether a canary can resolve %s", async (metric, handledMinutes, isEnd) => {
  const [found] = await look([], { metric, minutes: [0, 3], handledMinutes });

  expect([found?.status, endsWithDelivery(found?.says ?? "")]).toEqual(["wrong", isEnd]);
});

it.each([
  ["the last delivery before the first refusal", 5, "2026-03-02T02:55:00Z"],
  ["119 hours ago, before reconcile refuses the time", 124, "119h"],
])("dates losses from %s", async (_case, hours, since) => {
  const deliveredAtMs = minuteMs - hours * 3_600_000;

  const [found] = await look([], { handledAtMs: minuteMs + 70_000, deliveredAtMs });

  expect(found?.says).toContain(`--since ${since} `);
});
