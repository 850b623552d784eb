import { describe, expect, it } from "vitest";
import type { LogLine } from "../../../../cli/see/log-line.ts";
import { traceLines } from "../../../../cli/see/trace-lines.ts";

const step = "message_sent auto-reply";

describe("traceLines", () => {
  it.each([
    [
      "held an effect back",
      { step, effect: "reply", how: "answer-limit" },
      "effect: auto-reply reply: held back: the conversation got too many automatic answers lately (ANSWER_LIMIT)",
    ],
    [
      "held an effect back",
      { step, effect: "reply", how: "own-message" },
      "effect: auto-reply reply: held back: this system or the platform wrote the message",
    ],
    [
      "an effect is done",
      { step, effect: "reply", how: "found" },
      "effect: auto-reply reply: found done on the platform",
    ],
    [
      "passed an event over",
      { step, passedOverBy: "auto-reply", reason: "too-old" },
      "consumer: auto-reply passed the event over: it happened too long ago (maxAge)",
    ],
    ["woke a flow", { flowId: "refund_1" }, "flow: woke the flow refund_1"],
    [
      "handled an event",
      { tookMs: 5, woke: ["a_1", "a_2"] },
      "consumer: handled it in 5 ms: woke the flows a_1, a_2",
    ],
    [
      "handled an event",
      { tookMs: 5, ran: ["auto-reply"], woke: ["a_1"] },
      "consumer: handled it in 5 ms: auto-reply, woke the flow a_1",
    ],
    ["handled an event", { tookMs: 5 }, "consumer: handled it in 5 ms: no trigger wants it"],
    ["handled an event", { tookMs: 5, ranBefore: 2 }, "consumer: handled it in 5 ms: all of it ran before"],
  ])("says in words how things ended: %s %j", (message, fields, said) => {
    expect(toldOf(message, fields)).toBe(said);
  });
});

describe("an event of which a trigger has a lane of its own", () => {
  const step = "message_sent greet";
  const lines = (...told: readonly (readonly [string, object])[]): readonly LogLine[] =>
    told.map(([message, fields], at) => ({
      ...{ atMs: at, source: "processEvents", eventId: "1", kind: "own", level: "info", message },
      fields: { deliveryKey: "app-1|message_sent|1", ...fields },
    }));
  const put = [
    "put an event beside its lane: its trigger waits",
    { step, laneId: "events g greet" },
  ] as const;
  const handled = ["handled an event", { tookMs: 5 }] as const;

  it("is handled when that lane is done with it, too", () => {
    const [before] = traceLines(lines(put, handled));
    const [after] = traceLines(lines(put, handled, ["handled an event", { triggerLane: "greet" }]));

    expect(before).toMatchObject({ isHandled: false, laneId: "events g greet" });
    expect(after?.isHandled).toBe(true);
  });
});

function toldOf(message: string, fields: object): string | undefined {
  const line: LogLine = {
    ...{ atMs: 1, source: "processEvents", eventId: "1", kind: "own", level: "info", message },
    fields: { deliveryKey: "app-1|message_sent|1", ...fields },
  };
  const [step] = traceLines([line])[0]?.steps ?? [];
  return step && `${step.place}: ${step.what}`;
}
