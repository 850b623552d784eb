import { expect, it } from "vitest";
import { readFailures, readLastDoctor, readQueueStatus } from "../../../../cli/see/status-metrics.ts";
import type { Stack, Target } from "../../../../cli/target/target.ts";
import { AwsCallError, type AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";

const deleted = "https://sqs.example/EventsQueue";
const callAws: AwsCaller = async (call) => {
  const { service, input } = call;
  if (service !== "sqs") return { MetricDataResults: [] };
  if (JSON.stringify(input).includes(deleted)) {
    const code = "QueueDoesNotExist";
    throw new AwsCallError(call, { code, status: 400, maybeExecuted: false });
  }
  const none = "0";
  return {
    Attributes: {
      ApproximateNumberOfMessages: "7",
      ApproximateNumberOfMessagesNotVisible: none,
      ApproximateNumberOfMessagesDelayed: none,
    },
  };
};

it("names a deleted queue, and still counts the others", async () => {
  const gone: unknown[] = [];
  const physicalId = (id: string) => `https://sqs.example/${id}`;

  const read = await readQueueStatus({ callAws }, { physicalId }, Date.now(), (what, { because }) =>
    gone.push([what, because]),
  );

  expect(gone).toEqual([["EventsQueue", "gone"]]);
  expect(read.map(({ queue, waiting }) => [queue, waiting])).toEqual(
    ["lane tickets", "calls", "dead letters", "quarantine"].map((queue) => [queue, 7]),
  );
});

it.each([
  ["nothing", [9], []],
  ["other events", [1, 9], ["DeliveryUnauthorized"]],
])(
  "decides whether refusals continue if the app handled %s meanwhile",
  async (_case, handledMinutes, failing) => {
    const startMs = Date.UTC(2026, 2, 2, 8);
    const minuteOf = (ms: number) => (ms - startMs) / 60_000;
    const target = {
      callAws: async ({ input }: { input: unknown }) => ({
        MetricDataResults: Object(input).MetricDataQueries.map(
          ({ Id, MetricStat }: { Id: string; MetricStat: { Metric: { MetricName: string } } }) =>
            MetricStat.Metric.MetricName === "DeliveryUnauthorized"
              ? { Id, Timestamps: [startMs / 1000, startMs / 1000 + 240], Values: [1, 1] }
              : { Id, Timestamps: [], Values: [] },
        ),
      }),
    } as unknown as Target;
    const hasHandled = async (_app: string, sinceMs: number, untilMs = Infinity) =>
      handledMinutes.some((minute) => minute >= minuteOf(sinceMs) && minute <= minuteOf(untilMs));

    expect(await readFailures("app-1", target, startMs + 600_000, { hasHandled })).toEqual({
      failures: { DeliveryUnauthorized: 2 },
      failing,
    });
  },
);

const hourMs = 3_600_000;

it.each([
  ["reports", {}, 1],
  ["does not report, on the local stack,", { kind: "local" }, 0],
  ["does not report, within its first hour,", { ageMs: hourMs }, 0],
  ["does not report, without a schedule,", { rule: "RotateEventsRuleSchedule1" }, 0],
  ["does not report, after a run,", { runs: [0] }, 0],
])("%s a scheduled doctor without a result", async (_case, more, count) => {
  const nowMs = Date.UTC(2026, 2, 2, 8);
  const of = { kind: "stage", ageMs: 2 * hourMs, rule: "DoctorEventsRuleSchedule1", runs: [], ...more };
  const Timestamps = of.runs.map(() => nowMs / 1000 - 600);
  const target = {
    kind: of.kind,
    callAws: async () => ({ MetricDataResults: [{ Id: "m0", Timestamps, Values: of.runs }] }),
  } as unknown as Target;
  const stack = {
    changedAt: new Date(nowMs - of.ageMs),
    resources: new Map([[of.rule, { type: "AWS::Events::Rule", physicalId: "rule" }]]),
    output: () => "prefix",
  } as unknown as Stack;

  const { doctor, silent } = await readLastDoctor(target, stack, nowMs, remediesFor("--stage prod"));

  expect([doctor?.failed, silent.length]).toEqual([of.runs[0], count]);
});
