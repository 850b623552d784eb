import { CloudWatchLogsClient, type FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { describe, expect, it } from "vitest";
import { openRecentLogs } from "../../../cli/doctor/recent-logs.ts";
import { openLogs } from "../../../cli/see/read-logs.ts";
import type { Stack, Target } from "../../../cli/target/target.ts";
import { whyUnknown } from "../../../lib/operate/doctor/run-checks.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const failedMs = nowMs - 5 * 60_000;
const ofEvent = { appId: "app-1", deliveryKey: "app-1|message_sent|1", attempt: 1 };
const failed = {
  ...ofEvent,
  level: "WARN",
  message: "could not handle an event yet",
  laneId: "events group",
  failure: "ours",
  step: "message_sent greet",
  cause: "Error: no luck",
  lane: "group",
};
const handled = { ...ofEvent, level: "INFO", message: "handled an event" };

const ended = { appId: "app-1", message: "an attempt ended without a result", laneId: "events group" };

const gone = Object.assign(new Error("gone"), { name: "ResourceNotFoundException" });

/** Answers with the lines of the time range that match the pattern's app and message. */
function open(
  lines: readonly (readonly [atMs: number, line: object])[],
  {
    changedAtMs = 0,
    kind = "stage",
    logLevel = "INFO",
    absent = [],
    source = "processEvents",
  }: {
    changedAtMs?: number;
    kind?: Target["kind"];
    logLevel?: string;
    absent?: readonly string[];
    source?: string;
  } = {},
) {
  const send = async ({ input }: FilterLogEventsCommand) => {
    if (absent.includes(input.logGroupName ?? "")) throw gone;
    const [, appId] = /\$\.appId = "([^"]+)"/.exec(input.filterPattern ?? "") ?? [];
    return {
      events: lines
        .filter(([, line]) => appId === undefined || Reflect.get(line, "appId") === appId)
        .filter(([atMs]) => atMs >= (input.startTime ?? 0) && atMs <= (input.endTime ?? nowMs))
        .filter(
          ([, line]) =>
            input.filterPattern?.includes("$.message") !== true ||
            input.filterPattern.includes(Reflect.get(line, "message").slice(0, 16)),
        )
        .map(([timestamp, line]) => ({ timestamp, message: JSON.stringify(line) })),
    };
  };
  const group = { type: "AWS::Logs::LogGroup", physicalId: `/aws/lambda/stack-${source}` };
  const stack = {
    name: "stack",
    resources: new Map([["Group", group]]),
    changedAt: new Date(changedAtMs),
    physicalId: (logicalId: string) => logicalId,
  };
  const target = {
    kind,
    region: "eu-west-1",
    settings: { kmsKey: "arn:key" },
    client: () => Object.assign(Object.create(CloudWatchLogsClient.prototype), { send }),
    callAws: async () => ({ Environment: { Variables: { LOG_LEVEL: logLevel } } }),
  } as unknown as Target;
  const edges = { now: () => nowMs, signal: new AbortController().signal };
  const given = [target, stack as unknown as Stack, edges] as const;
  return { target, ...openRecentLogs(...given) };
}

const look = (...given: Parameters<typeof open>) => open(...given).failing("app-1");

it.each(["handled an event", "saw the canary"])("recognizes that the app works by: %s", async (message) => {
  const logs = open([[failedMs, { appId: "app-1", message }]]);

  expect([await logs.hasHandled("app-1", failedMs), await logs.hasHandled("app-1", nowMs)]).toEqual([
    true,
    false,
  ]);
});

it("finds handled events until a given time", async () => {
  const logs = open([[failedMs, handled]]);

  expect(await logs.hasHandled("app-1", failedMs - 60_000, failedMs - 1)).toBe(false);
  expect(await logs.hasHandled("app-1", failedMs - 60_000, failedMs)).toBe(true);
});

it("reports a deleted log group as gone", async () => {
  const error = await open([], { absent: ["/aws/lambda/stack-processEvents"] })
    .failing("app-1")
    .catch((error: unknown) => error);

  expect(whyUnknown(error)).toEqual({
    status: "unknown",
    because: "gone",
    says: expect.stringContaining("The log group /aws/lambda/stack-processEvents was deleted"),
    remedy:
      "aws logs create-log-group --region eu-west-1 --log-group-name /aws/lambda/stack-processEvents --kms-key-id arn:key && aws logs put-retention-policy --region eu-west-1 --log-group-name /aws/lambda/stack-processEvents --retention-in-days 30",
  });
});

it("skips a deleted log among several, and a missing audit trail", async () => {
  const { target } = open([[failedMs, handled]], { absent: ["/aws/lambda/gone", "audit"] });
  const read = async (...groups: string[]) => {
    const logs = groups.map((group) => ({ source: group, group }));
    const query = { startMs: 0, pattern: "", signal: new AbortController().signal };
    return (await Array.fromAsync(openLogs(target, logs)(query))).map(({ message }) => message);
  };

  expect(await read("/aws/lambda/gone", "/aws/lambda/webhook")).toEqual([handled.message]);
  expect(await read("audit")).toEqual([]);
  await expect(read("/aws/lambda/gone")).rejects.toThrow("/aws/lambda/gone was deleted");
});

const hourMs = 3_600_000;
const delivered = { ...handled, trigger: "message_sent", sinceReceivedMs: 0 };

it.each([
  ["a sample", { webhook: "none" }],
  ["a message that was handed over", { webhook: "reconcile-function" }],
  ["an event that was received earlier and waited", { sinceReceivedMs: 60_000 }],
  ["another app's", { appId: "app-2" }],
])("does not conclude from %s that the platform delivers", async (_case, more) => {
  const logs = open([
    [nowMs - 30 * hourMs, delivered],
    [failedMs, { ...delivered, ...more }],
  ]);

  expect(await logs.hasHandled("app-1", failedMs)).toBe(false);
  expect(await logs.lastDelivered("app-1", nowMs)).toBe(
    "sinceReceivedMs" in more ? failedMs - 60_000 : nowMs - 30 * hourMs,
  );
});

it.each([
  ["handled", [delivered], true],
  ["not handled yet", [failed], true],
  ["handed over", [failed, { ...delivered, webhook: "reconcile-function" }], false],
  ["delivered and handed over", [delivered, { ...delivered, webhook: "reconcile-function" }], true],
  ["another message's", [{ ...delivered, deliveryKey: "app-1|message_sent|12" }], false],
  ["its receipt", [{ ...delivered, deliveryKey: "app-1|message_read|1|bob" }], false],
])("finds whether the platform delivered an event with a key: %s", async (_case, lines, expected) => {
  const logs = open(lines.map((line, index) => [failedMs + index, line] as const));
  const keys = new Set(["app-1|message_sent|1", "app-1|message_sent|2"]);

  expect(await logs.hasArrived("app-1", failedMs)).toBe(true);
  expect(await logs.hasArrived("app-1", failedMs, keys)).toBe(expected);
});

it.each([
  ["webhook", true, true, true],
  ["beforeMessage", true, false, true],
  ["moderation", true, false, true],
  ["processEvents", false, false, false],
])("finds what %s counted about replaced and wrong credentials", async (source, ...expected) => {
  const metrics = ["ReplacedPasswordUsed", "DeliveryUnauthorized", "QuestionUnauthorized"];
  const line = { _aws: {}, appId: "app-1", ...Object.fromEntries(metrics.map((metric) => [metric, 1])) };
  const { hasCounted } = open([[failedMs, line]], { source });
  const found = metrics.map((metric) => hasCounted("app-1", metric, failedMs, nowMs));

  expect(await Promise.all(found)).toEqual(expected);
});

it("finds the last delivered message within five days, among later other events", async () => {
  const reaction = { ...delivered, trigger: "message_reaction_added" };

  expect(await open([[nowMs - 121 * hourMs, delivered]]).lastDelivered("app-1", nowMs)).toBeUndefined();
  expect(
    await open([
      [nowMs - 119 * hourMs, delivered],
      [failedMs, reaction],
    ]).lastDelivered("app-1", nowMs),
  ).toBe(nowMs - 119 * hourMs);
});

it.each([
  ["the one that began last, and did not end", ["began greet"], "greet"],
  ["a later one than what ended or failed", ["began greet", "ended greet", "began welcome"], "welcome"],
  ["none that ended", ["began greet", "ended greet"], undefined],
  ["none that failed", ["began greet", "failed greet"], undefined],
  ["none without a line", [], undefined],
])("returns as the trigger that ran at a crash %s", async (_case, done, name) => {
  const texts = {
    began: "began a trigger",
    ended: "ended a trigger",
    failed: "could not handle an event yet",
  };
  const lines = done.map((one, index) => {
    const [how, step] = one.split(" ");
    const message = how === "began" ? texts.began : how === "ended" ? texts.ended : texts.failed;
    return [failedMs + index, { ...ofEvent, message, step: `message_sent ${step}` }] as const;
  });

  const next = { ...ofEvent, message: texts.began, step: "message_sent unharmed" };
  const all = [...lines, [nowMs - 9_000, ended], [nowMs - 9_000, next]] as const;

  expect(await open(all).runningTrigger("events group", ofEvent.deliveryKey)).toBe(name);
});

describe("a failing trigger", () => {
  it("has a waiting event, and fails since its first failure", async () => {
    const again = { ...failed, attempt: 2, cause: "Error: still none" };

    expect(
      await look([
        [failedMs, failed],
        [failedMs + 9_000, again],
      ]),
    ).toEqual([
      {
        what: "trigger greet",
        sinceMs: failedMs,
        count: 2,
        cause: "Error: still none",
        waitsIn: new Set(["events group greet", "events group"]),
      },
    ]);
  });

  const later = failedMs + 9_000;
  const beside = { ...failed, level: "INFO", message: "put an event beside its lane: its trigger failed" };
  const byLane = { ...handled, triggerLane: "greet", outcome: "acted" };
  const inLane = { ...handled, deliveryKey: "other", lane: "group", outcome: "acted" };
  const wentOn = [
    [failedMs + 1, beside],
    [failedMs + 2, { ...handled, attempt: 2 }],
  ] as const;
  const again = { ...failed, triggerLane: "greet", attempt: 2 };

  it.each([
    ["its lane handled the event", [[later, byLane]], 0],
    ["a later attempt handled it", [[later, { ...handled, attempt: 2 }]], 0],
    [
      "another event became a dead letter",
      [[later, { ...failed, level: "ERROR", deliveryKey: "app-1|message_sent|2" }]],
      1,
    ],
    ["the conversation continued without it", wentOn, 1],
    [
      "it failed again beside its lane",
      [...wentOn, [later, again], [later + 1, { ...handled, attempt: 3 }]],
      1,
    ],
    ["it ended beside its lane", [...wentOn, [later, { ...byLane, attempt: 2 }]], 0],
    ["the attempt that put it beside its lane handled the event", [[failedMs + 5, handled]], 1],
    ["it handled another event that had waited for it", [[later, { ...byLane, deliveryKey: "other" }]], 0],
    [
      "it handled another event of the conversation",
      [[later, { ...inLane, why: "log: It ran. greet: It acted." }]],
      0,
    ],
    ["another trigger did", [[later, { ...inLane, why: "log: It ran. regreet: It acted." }]], 1],
    [
      "it handled an event of another conversation",
      [[later, { ...inLane, lane: "other", why: "greet: It acted." }]],
      1,
    ],
    [
      "another event that had waited for it became too old",
      [[later, { ...byLane, deliveryKey: "other", outcome: "too-old" }]],
      1,
    ],
    [
      "another app's trigger handled an event",
      [[later, { ...byLane, deliveryKey: "other", appId: "app-2" }]],
      1,
    ],
    [
      "it failed after that",
      [
        [later, { ...byLane, deliveryKey: "other" }],
        [later + 1, failed],
      ],
      1,
    ],
  ] as const)("is reported only until it is resolved: %s", async (_case, lines, count) => {
    expect(await look([[failedMs, failed], ...lines])).toHaveLength(count);
  });

  it("is not reported after a deployment", async () => {
    expect(await look([[failedMs, failed]], { changedAtMs: failedMs + 1 })).toEqual([]);
  });

  it("is reported after an edit on the local stack, because its event still waits", async () => {
    const crash = { ...ended, message: `${ended.message}; its event goes on alone`, deliveryKey: "1" };
    const second = { ...crash, message: ended.message, deaths: 2 };
    const edited = { changedAtMs: failedMs + 1, kind: "local" } as const;

    expect(await look([[failedMs, failed]], edited)).toHaveLength(1);
    for (const [lines, deaths] of [
      [[[failedMs, crash]], 1],
      [
        [
          [failedMs, crash],
          [failedMs + 1, second],
        ],
        2,
      ],
    ] as const) {
      expect(await open(lines, edited).crashes("app-1")).toEqual(
        new Map([[crash.laneId, { deliveryKey: "1", deaths }]]),
      );
    }
  });

  it("is reported with only its own lane if its last event is a dead letter", async () => {
    const dead = { ...failed, level: "ERROR", laneId: "events group" };
    const inLane = { ...dead, triggerLane: "greet", laneId: "events group greet" };

    expect(
      await look([
        [failedMs, failed],
        [failedMs + 9_000, dead],
      ]),
    ).toMatchObject([{ waitsIn: new Set(["events group greet"]) }]);
    expect(
      await look([
        [failedMs, failed],
        [failedMs + 9_000, inLane],
      ]),
    ).toMatchObject([
      {
        what: "trigger greet",
        sinceMs: failedMs,
        count: 2,
        waitsIn: new Set(["events group greet"]),
      },
    ]);
  });

  it("is reported without lanes while its attempt may not have parked the event", async () => {
    expect(await look([[nowMs - 30_000, failed]])).toEqual([
      { what: "trigger greet", sinceMs: nowMs - 30_000, count: 1, cause: failed.cause },
    ]);
  });
});

/** More lines than one read returns. */
const many = (line: object) => Array.from({ length: 2_500 }, (_, index) => [failedMs + index, line] as const);

describe("an app with too many failures to read", () => {
  it("does not hide another app's failures", async () => {
    const lines = [...many({ ...failed, appId: "app-2" }), [nowMs - 30_000, failed] as const];

    expect(await look(lines)).toMatchObject([{ what: "trigger greet", count: 1 }]);
  });

  it("is not reported as healthy, even if the failures that were read are over", async () => {
    const lines = [...many(failed), [nowMs - 30_000, { ...handled, attempt: 2 }] as const];

    expect(await look(lines)).toBeUndefined();
  });
});

describe("a consumer that returns events to the queue", () => {
  const back = {
    appId: "app-1",
    level: "ERROR",
    cause: "AwsCallError: no table",
    message: "gave events back to the queue: what parks them could not be reached",
    events: 2,
  };
  const parked = { ...back, message: "could not go on with a parked lane yet" };

  it("fails until an event of the app is handled", async () => {
    const lines = [
      [failedMs, back],
      [failedMs + 9_000, back],
      [failedMs + 9_001, { ...handled, appId: "app-2" }],
    ] as const;

    const found = [{ what: "consumer", sinceMs: failedMs, count: 2, cause: back.cause }];

    expect(await look(lines)).toEqual(found);
    expect(await look([...lines, [failedMs + 10_000, { ...handled, webhook: "none" }]])).toEqual([]);
    expect(await look(lines, { changedAtMs: failedMs + 10_000 })).toEqual([]);
  });

  it("fails for any number of its own lines", async () => {
    expect(await look(many(back))).toMatchObject([{ what: "consumer" }]);
  });

  it.each([4, 6])(
    "fails while a parked lane could not continue in the last 5 minutes: %s",
    async (minutes) => {
      expect(await look([[nowMs - minutes * 60_000, parked]])).toHaveLength(minutes < 5 ? 1 : 0);
    },
  );

  it("is not reported with a LOG_LEVEL that hides handled events, once its retries are over", async () => {
    const early = [nowMs - 50 * 60_000, back] as const;

    expect(await look([early])).toHaveLength(1);
    expect(await look([early], { logLevel: "WARN" })).toEqual([]);
    expect(await look([early, [failedMs, back]], { logLevel: "WARN" })).toHaveLength(1);
  });
});
