import { describe, expect, it } from "vitest";
import type { LogLine } from "../../../../cli/see/log-line.ts";
import { traceLines } from "../../../../cli/see/trace-lines.ts";
import { outcomeFields } from "../../../../lib/effects/outcomes.ts";

const step = "message_sent auto-reply";

describe("traceLines", () => {
  const acted = outcomeFields("acted", { effects: ["reply"] });

  it.each([
    [
      "an effect is done",
      { step, effect: "reply", how: "found" },
      "effect: auto-reply reply: found done on the platform",
    ],
    ["ended a trigger", { step, ...acted }, "consumer: auto-reply: It acted: reply."],
    [
      "woke a flow",
      { step: "message_sent (flows)", ...outcomeFields("woke-flow", { flows: ["refund_1"] }) },
      "flow: It woke the flow refund_1.",
    ],
    [
      "handled an event",
      { tookMs: 5, outcome: "acted", why: "auto-reply: It acted." },
      "consumer: handled it in 5 ms. auto-reply: It acted.",
    ],
  ])("describes how a step ended: %s %j", (message, fields, said) => {
    expect(toldOf(message, fields)).toBe(said);
  });

  it.each([
    [
      "the event's own line",
      [["handled an event", { outcome: "acted", why: "auto-reply: It acted: reply." }]],
    ],
    [
      "each trigger's last line, which that line repeats",
      [
        ["could not handle an event yet", { step, ...outcomeFields("failed") }],
        ["ended a trigger", { step, ...acted }],
        ["handled an event", { outcome: "acted", why: "auto-reply: It acted: reply." }],
      ],
    ],
    [
      "the line of a trigger's own lane",
      [
        ["put an event beside its lane: its trigger waits", { step, ...outcomeFields("waiting") }],
        [
          "handled an event",
          { triggerLane: "auto-reply", outcome: "acted", why: "auto-reply: It acted: reply." },
        ],
      ],
    ],
    [
      "what an earlier attempt did, when a later one finds it done",
      [
        ["handled an event", { outcome: "acted", why: "auto-reply: It acted: reply." }],
        ["handled an event", outcomeFields("already-done", { effects: ["reply"] })],
      ],
    ],
    [
      "no flows that an earlier attempt failed to look for",
      [
        ["could not handle an event yet", { step: "message_sent (flows)", ...outcomeFields("waiting") }],
        ["handled an event", { outcome: "acted", why: "auto-reply: It acted: reply." }],
      ],
    ],
  ] as const)("names the outcome by %s", (_what, told) => {
    const [event] = traceLines(linesOf(...told));

    expect(event?.outcome).toEqual({ outcome: "acted", why: "auto-reply: It acted: reply." });
  });
});

it("reports waiting flows while other lanes of the event end", () => {
  const own = { triggerLane: "(flows)" };
  const told = [
    ["could not handle an event yet", { ...own, step: "message_sent (flows)", ...outcomeFields("waiting") }],
    ["handled an event", { triggerLane: "greet", ...outcomeFields("no-action") }],
  ] as const;
  const [before] = traceLines(linesOf(...told));
  const [after] = traceLines(linesOf(...told, ["handled an event", own]));

  expect([before?.outcome?.outcome, after?.outcome?.outcome]).toEqual(["waiting", "no-action"]);
});

it("returns no outcome while a trigger has not ended", () => {
  const ended = ["ended a trigger", { step, ...outcomeFields("off") }] as const;
  const spin = "message_sent spin";
  const outcomes = [
    traceLines(linesOf(ended, ["began a trigger", { step: spin }])),
    traceLines(linesOf(ended, ["ended a trigger", { step: spin, ...outcomeFields("failed") }])),
  ].map(([event]) => event?.outcome?.outcome);

  expect(outcomes).toEqual([undefined, "failed"]);
});

it("reports a trigger's failure until its next attempt, even if its lane waits", () => {
  const failed = outcomeFields("failed", { cause: "TypeError", place: "functions/own/triggers.ts:1:1" });
  const [event] = traceLines(
    linesOf(
      ["could not handle an event yet", { step, triggerLane: "auto-reply", ...failed }],
      ["an event waits", { triggerLane: "auto-reply", ...outcomeFields("waiting", { cause: "TypeError" }) }],
    ),
  );

  expect(event?.outcome).toEqual({ outcome: "failed", why: `auto-reply: ${failed.why}` });
});

describe("an event in a trigger's own lane", () => {
  const step = "message_sent greet";
  const put = [
    "put an event beside its lane: its trigger waits",
    { step, laneId: "events g greet" },
  ] as const;
  const handled = ["handled an event", { tookMs: 5 }] as const;

  it("is handled once that lane has handled it", () => {
    const [before] = traceLines(linesOf(put, handled));
    const [after] = traceLines(linesOf(put, handled, ["handled an event", { triggerLane: "greet" }]));

    expect(before).toMatchObject({ isHandled: false, laneIds: ["events g greet"] });
    expect(after?.isHandled).toBe(true);
  });

  it("may wait in several lanes, even after it was dead-lettered", () => {
    const other = { step: "message_sent log", laneId: "events g log" };
    const [event] = traceLines(
      linesOf(
        ["could not handle an event yet", { laneId: "events g" }],
        put,
        ["put an event beside its lane: its trigger waits", other],
        ["moved an event to the dead-letter queue", {}],
      ),
    );

    expect(event?.laneIds).toEqual(["events g greet", "events g log", "events g"]);
  });
});

describe("a dead-lettered event", () => {
  const step = "message_sent greet";
  const [own, again] = [{ queueMessageId: "m-1" }, { queueMessageId: "m-2" }];
  const failed = [
    "could not handle an event, for good",
    { ...own, step, ...outcomeFields("failed") },
  ] as const;
  const put = ["put an event beside its lane: its trigger failed", { ...own, step }] as const;
  const handled = ["handled an event", own] as const;
  const buryOf = (part?: string) =>
    ["moved an event to the dead-letter queue", { ...own, part, ...outcomeFields("dead-lettered") }] as const;
  const acted = outcomeFields("acted", { effects: ["reply"] });
  const replayed = ["handled an event", { ...again, ...acted }] as const;
  const waitedLong = "an event waited too long for a trigger";
  const isOff = "an event waited for a trigger that is not turned on any more";

  it.each([
    ["in a trigger's own lane", [put, failed, handled, buryOf("greet")]],
    ["in the conversation's lane", [failed, buryOf()]],
    ["too old for a trigger", [[waitedLong, { ...own, step }], handled]],
    ["for a trigger that is off", [[isOff, own], handled]],
  ] as const)("is handled once its replay is: %s", (_case, lines) => {
    const [before] = traceLines(linesOf(...lines));
    const [after] = traceLines(linesOf(...lines, replayed));

    expect(before).toMatchObject({ isHandled: false, isDeadLettered: true });
    expect(after).toMatchObject({ isHandled: true, outcome: acted });
  });

  it.each([
    ["another trigger's dead letter waits", [buryOf("greet"), buryOf("log"), replayed]],
    ["its replay failed, too", [buryOf(), ["moved an event to the dead-letter queue", again], replayed]],
    ["its replay waits", [buryOf(), [put[0], { ...again, step }], replayed]],
  ] as const)("is not handled while %s", (_case, lines) => {
    expect(traceLines(linesOf(handled, ...lines))).toMatchObject([{ isHandled: false }]);
  });
});

function linesOf(...told: readonly (readonly [string, object])[]): readonly LogLine[] {
  return told.map(([message, fields], at) => ({
    atMs: at,
    source: "processEvents",
    eventId: "1",
    kind: "own",
    level: "info",
    message,
    fields: { deliveryKey: "app-1|message_sent|1", ...fields },
  }));
}

function toldOf(message: string, fields: object) {
  const [step] = traceLines(linesOf([message, fields]))[0]?.steps ?? [];
  return step && `${step.place}: ${step.what}`;
}
