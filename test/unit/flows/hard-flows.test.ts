import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { startFlow } from "../../../lib/effects/start-flow.ts";
import { isEventName, listEventNames } from "../../../lib/events/app-event.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow, FlowEventName } from "../../../lib/flows/flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { eventOf } from "../../helpers/events/event-of.ts";
import { awsFailure } from "../../helpers/failed-calls.ts";
import {
  act,
  createFlowWorld,
  eventFacts,
  type FlowWorldOptions,
  hear,
  idIn,
  messageFlow,
  startMs,
} from "./flow-world.ts";

const minuteMs = 60_000;
const waiting = { waits: "app-1 message_sent waiting" };

/** Runs one flow that waits for messages. */
async function begin(
  run: (flow: Flow<"message_sent">, does: (name: string) => ReturnType<typeof act>) => Promise<unknown>,
  options: FlowWorldOptions = {},
) {
  const does = (name: string) => act(() => world, name);
  const flow = messageFlow("hard", async (flow) => run(flow, does));
  const world = createFlowWorld([flow], options);
  const arn = await world.start("hard", {});
  const resultOf = () => {
    return { status: world.statusOf(arn).Status, result: world.resultOf(arn) };
  };
  return { world, arn, resultOf };
}

it.each([
  ["300 characters and an emoji", `${"x".repeat(300)}👋`],
  ["no character", ""],
])("a step's name may have %s, also in a retry", async (_, name) => {
  const failures = [awsFailure("InternalServerError")];
  const world = createFlowWorld([
    messageFlow("named", async (flow) =>
      flow.run(name, async () => {
        if (failures.length > 0) throw failures.pop();
        return "done";
      }),
    ),
  ]);
  const arn = await world.start("named", {});

  await world.play(5);

  expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"done"' });
});

it("a flow may wait for events whose names are long in total", async () => {
  const names = listEventNames().filter((name): name is FlowEventName => isEventName(name) && name !== "*");
  const flow = defineFlow("long", { input: z.object({}), waitsFor: names }, async (flow) =>
    flow.waitFor([names[0] ?? "message_sent", ...names], { within: { minutes: 10 } }),
  );
  const world = createFlowWorld([flow]);
  const arn = await world.start("long", {});

  await world.play(20);

  expect(world.statusOf(arn).Status).toBe("SUCCEEDED");
});

describe("ways of a flow", () => {
  type Way = Flow<"message_sent">;
  type Does = (name: string) => ReturnType<typeof act>;
  const fast = async (way: Way, does: Does) => {
    await way.do("fast", does("fast"));
    return "fast";
  };
  const slow = async (way: Way, does: Does, ...names: readonly string[]) => {
    for (const name of names) await way.do(name, does(name));
  };
  const numbers = ["one", "two", "three"];

  it.each<[string, (flow: Way, does: Does) => Promise<unknown>]>([
    [
      "when one has won, though another is in the middle of a step",
      (flow, does) => flow.any<unknown>([(way) => slow(way, does, ...numbers), (way) => fast(way, does)]),
    ],
    [
      "when one has failed, though another is in the middle of a step",
      (flow, does) =>
        flow
          .all([
            (way) => slow(way, does, ...numbers),
            async (way) => {
              await fast(way, does);
              throw new Error("It failed.");
            },
          ])
          .then(
            () => "no failure",
            () => "fast",
          ),
    ],
    [
      "where the one that lost goes several ways itself",
      (flow, does) =>
        flow.any<unknown>([
          (way) =>
            way.any<unknown>([
              (inner) => slow(inner, does, "one", "two", "and", "three"),
              (inner) => slow(inner, does, "five", "six", "seven", "eight"),
            ]),
          (way) => fast(way, does),
        ]),
    ],
  ])("stop %s, and start nothing more", async (_when, go) => {
    const { world, resultOf } = await begin(async (flow, does) => {
      const first = await go(flow, does);
      await flow.wait({ minutes: 5 });
      return first;
    });

    await world.play(30);

    expect(resultOf()).toEqual({ status: "SUCCEEDED", result: "fast" });
    expect(world.acts).not.toContain("three");
  });

  it("return undefined if their code does", async () => {
    const { world, resultOf } = await begin(async (flow) => {
      const any = await flow.any([(way) => way.waitFor("message_sent", { within: { minutes: 1 } })]);
      const [all, text] = await flow.all([(way) => way.wait({ seconds: 1 }), async () => "text"]);
      return [typeof any, typeof all, text];
    });

    await world.play(30);

    expect(resultOf().result).toEqual(["undefined", "undefined", "text"]);
  });

  it("close questions that they asked but did not win by", async () => {
    const { world, resultOf } = await begin(async (flow) => {
      await flow.any<unknown>([
        (way) => way.waitFor("message_sent", { within: { days: 30 } }),
        async (way) => way.wait({ minutes: 1 }),
      ]);
      await flow.wait({ days: 1 });
    });

    await world.play(30);

    expect(resultOf().status).toBe("RUNNING");
    expect(await world.flowsTable.query(waiting)).toEqual([]);
  });
});

it("a step runs although its name resembles another's second use or another way's", async () => {
  const { world } = await begin(async (flow, does) => {
    await flow.do("a", does("1"));
    await flow.do("a", does("2"));
    await flow.do("a (2)", does("3"));
    await flow.all([(way) => way.do("x", does("4"))]);
    await flow.do("1.0 x", does("5"));
    await flow.do('"a (2)"', does("6"));
  });

  await world.play(1);

  expect(world.acts).toEqual(["1", "2", "3", "4", "5", "6"]);
});

describe("an event that is hard to deliver", () => {
  it.each([
    ["of many quotes", '"'.repeat(25_000)],
    ["that just fits", "x".repeat(90_000)],
  ])("reaches the flow if it is one %s", async (_name, text) => {
    const { world, resultOf } = await begin(async (flow) => {
      const event = await hear(flow);
      return event?.message.data.text?.length;
    });
    await world.play(1);

    await world.deliver(events.messageSent({ text }));
    await world.play(20);

    expect(resultOf()).toEqual({ status: "SUCCEEDED", result: text.length });
  });

  it.each([
    ["is too large", '"'.repeat(90_000)],
    ["is nested too deeply to be written", nested(20_000)],
  ])("does not fail the flow or the event if it %s", async (_name, body) => {
    const { world, resultOf } = await begin(async (flow) => {
      const event = await hear(flow);
      return event === undefined ? "nobody" : "somebody";
    });
    await world.play(1);
    const event = { ...eventOf(events.messageSent({ text: "t" })), body };
    const of = { ...eventFacts, occurrenceKey: async () => "fact", receivedAt: world.now() };

    await world.waker.wake(event, of);
    await world.play(20);

    expect(resultOf()).toEqual({ status: "SUCCEEDED", result: "nobody" });
    expect(world.lines).toContainEqual(
      expect.objectContaining({ message: "an event is too large for flows" }),
    );
  });

  it("counts for the next question if received before the last one's end and delivered after it", async () => {
    const { world, resultOf } = await begin(async (flow) => {
      const first = await hear(flow);
      const second = await hear(flow);
      return [first === undefined, second?.message.data.text];
    });
    await world.playUntil(startMs + 10 * minuteMs + 2_000);

    await world.deliver(events.messageSent({ text: "late" }), { receivedAt: startMs + 10 * minuteMs - 100 });
    await world.play(60);

    expect(resultOf().result).toEqual([true, "late"]);
  });

  it("does not count after its time, however late the question could be stored", async () => {
    let isDown = true;
    const { world, resultOf } = await begin(
      async (flow) => {
        const event = await hear(flow);
        return event === undefined ? "nobody" : "somebody";
      },
      {
        atPoint: (name) => {
          if (isDown && name === "before put") throw awsFailure("TooManyRequestsException");
        },
      },
    );
    await world.play(60);
    await world.deliver(events.messageSent({ text: "an hour later" }));
    isDown = false;
    await world.play(180);

    expect(resultOf().result).toBe("nobody");
  });

  it("is kept for days, although the table was unavailable when the flow began", async () => {
    let failures = 0;
    const { world, resultOf } = await begin(
      async (flow) => {
        await flow.wait({ days: 4 });
        return (await hear(flow))?.message.data.text;
      },
      {
        atPoint: (name) => {
          if (name === "before update" && failures++ < 3) throw awsFailure("TooManyRequestsException");
        },
      },
    );
    await world.play(3 * 1440);
    await world.deliver(events.messageSent({ text: "on the third day" }));
    await world.play(5 * 1440);

    expect(resultOf().result).toBe("on the third day");
  });

  it("wakes all other flows if one cannot be woken", async () => {
    const flow = messageFlow("one", hear);
    let wakings = 0;
    const world = createFlowWorld([flow], {
      atWake: () => {
        wakings += 1;
        if (wakings === 1) throw awsFailure("TooManyRequestsException");
      },
    });
    const arns = [];
    for (let count = 0; count < 50; count += 1) arns.push(await world.start("one", {}));
    await world.play(1);

    await expect(world.deliver(events.messageSent({ text: "here" }), { key: "it" })).rejects.toThrow();
    await world.play(2);
    const woken = arns.filter((arn) => world.statusOf(arn).Status === "SUCCEEDED").length;
    await world.deliver(events.messageSent({ text: "here" }), { key: "it" });
    await world.play(3);

    expect(woken).toBe(49);
    expect(arns.every((arn) => world.statusOf(arn).Status === "SUCCEEDED")).toBe(true);
  });
});

describe("a flow that fails outside of its own function", () => {
  it("is logged and counted, like one started by hand", async () => {
    const { world } = await begin(async () => {});
    world.store.start({ ...world.durableFunction }, { name: "by-hand", payload: '{"uid":"ann"}' });

    await world.play(1);

    expect(world.counted).toEqual(["FlowFailed"]);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        message: "a flow failed",
        fields: expect.objectContaining({ flowId: "by-hand" }),
      }),
    );
  });

  it("is logged and counted if its code has changed, and no longer watched", async () => {
    let isNew = false;
    const { world, resultOf } = await begin(async (flow) => {
      if (isNew) await flow.all([async (way) => way.wait({ seconds: 1 })]);
      else await flow.wait({ minutes: 5 });
    });
    await world.play(1);
    isNew = true;

    await world.play(10);

    expect(resultOf().status).toBe("FAILED");
    expect(world.counted).toEqual(["FlowFailed"]);
    expect(await world.flowsTable.query({ waits: "app-1 message_sent" })).toEqual([]);
  });

  it.each([
    ["is not JSON", { count: 1n }],
    ["is larger than what may be kept", "x".repeat(2_000_000)],
  ])("fails if its result %s", async (why, result) => {
    const { world, resultOf } = await begin(async () => result);

    await world.play(1);

    expect(resultOf()).toMatchObject({ status: "FAILED" });
    const fields = { cause: `StoredResultError: The flow is done, but its result ${why}.` };
    expect(world.lines).toMatchObject([{ level: "error", message: "a flow failed", fields }]);
  });
});

it("startFlow validates the value before it is written as JSON", () => {
  const flow = defineFlow("dated", z.object({ at: z.date() }), async () => {});
  const loose = defineFlow("loose", z.object({ at: z.any() }), async () => {});

  expect(() => startFlow(flow, { at: new Date(0) })).toThrow(/at: /);
  expect(() => startFlow(loose, { at: 1n })).toThrow(/JSON/);
  expect(startFlow(loose, { at: "now" }).kind).toBe("start-flow");
});

describe("cancelling", () => {
  it("asks again after a request without an answer", async () => {
    let isDown = true;
    const { world, arn, resultOf } = await begin(
      async (flow, does) => {
        await flow.any<unknown>([(way) => way.cancelled, (way) => way.wait({ days: 1 })]);
        await flow.do("tidy up", does("tidy up"));
      },
      {
        atWake: () => {
          if (isDown) throw awsFailure("TooManyRequestsException");
        },
      },
    );
    await world.play(1);
    const id = idIn(arn);

    await expect(world.operator.cancel(id)).rejects.toThrow();
    isDown = false;
    const became = await world.operator.cancel(id);
    await world.play(2);

    expect(became).toBe("asked");
    expect(resultOf().status).toBe("SUCCEEDED");
    expect(world.acts).toEqual(["tidy up"]);
  });

  it("removes the waits of a flow that it stops", async () => {
    const { world, arn } = await begin(async (flow) => {
      await flow.waitFor("message_sent", { within: { days: 300 } });
    });
    await world.play(1);
    const waits = () => world.flowsTable.items().filter(({ flow }) => `${flow}`.startsWith("wait "));

    const before = waits().length;
    const became = await world.operator.cancel(idIn(arn));

    expect([before > 0, became, waits()]).toEqual([true, "stopped", []]);
  });
});

function nested(depth: number): object {
  let value: object = {};
  for (let count = 0; count < depth; count += 1) value = { deeper: value };
  return value;
}
