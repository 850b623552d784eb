import { CloudWatchLogsClient, type FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { describe, expect, it } from "vitest";
import { openRecentLogs } from "../../../cli/doctor/recent-logs.ts";
import type { Stack } from "../../../cli/target/stack.ts";
import type { Target } from "../../../cli/target/target.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const failedMs = nowMs - 5 * 60_000;
const ofEvent = { appId: "app-1", deliveryKey: "app-1|message_sent|1", attempt: 1 };
const failed = {
  ...{ ...ofEvent, level: "WARN", message: "could not handle an event yet", failure: "ours" },
  ...{ step: "message_sent greet", cause: "Error: no luck" },
};
const handled = { ...ofEvent, level: "INFO", message: "handled an event" };

/** Answers with the lines of the time that the pattern's message begins. */
function open(lines: readonly (readonly [atMs: number, line: object])[], changedAtMs = 0) {
  const send = async ({ input }: FilterLogEventsCommand) => ({
    events: lines
      .filter(([atMs]) => atMs >= (input.startTime ?? 0))
      .filter(([, line]) => input.filterPattern?.includes(Reflect.get(line, "message").slice(0, 16)))
      .map(([timestamp, line]) => ({ timestamp, message: JSON.stringify(line) })),
  });
  const group = { type: "AWS::Logs::LogGroup", physicalId: "/aws/lambda/stack-processEvents" };
  const stack = { name: "stack", resources: new Map([["Group", group]]), changedAt: new Date(changedAtMs) };
  const target = {
    client: () => Object.assign(Object.create(CloudWatchLogsClient.prototype), { send }),
    callAws: async () => ({}),
  } as unknown as Target;
  const edges = { now: () => nowMs, signal: new AbortController().signal };
  return openRecentLogs(target, stack as unknown as Stack, edges);
}

const look = (...given: Parameters<typeof open>) => open(...given).failing("app-1");

it.each(["handled an event", "saw the canary"])("knows that the app works from: %s", async (message) => {
  const logs = open([[failedMs, { appId: "app-1", message }]]);

  expect([await logs.hasHandled("app-1", failedMs), await logs.hasHandled("app-1", nowMs)]).toEqual([
    true,
    false,
  ]);
});

describe("a failing trigger", () => {
  it("is one whose event waits, since its first failure", async () => {
    const again = { ...failed, attempt: 2, cause: "Error: still none" };

    expect(
      await look([
        [failedMs, failed],
        [failedMs + 9_000, again],
      ]),
    ).toEqual([{ what: "trigger greet", sinceMs: failedMs, count: 2, cause: "Error: still none" }]);
  });

  it.each([
    ["its lane handled the event", [failedMs + 9_000, { ...handled, triggerLane: "greet" }], 0],
    ["a later attempt handled it", [failedMs + 9_000, { ...handled, attempt: 2 }], 0],
    ["it is a dead letter", [failedMs + 9_000, { ...failed, level: "ERROR" }], 0],
    ["it was deployed since", [failedMs, handled], failedMs + 1],
  ] as const)("is none any more if %s", async (_case, line, changedAtMs) => {
    expect(await look([[failedMs, failed], line], changedAtMs)).toEqual([]);
  });

  it("is one, too, if the attempt that put it beside its lane handled the event", async () => {
    expect(
      await look([
        [failedMs, failed],
        [failedMs + 5, handled],
      ]),
    ).toHaveLength(1);
  });
});
