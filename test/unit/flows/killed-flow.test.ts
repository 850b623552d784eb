import { expect, it } from "vitest";
import * as z from "zod/mini";
import { members } from "../../../lib/chat/resources/members.ts";
import { defineState } from "../../../lib/effects/state/define-state.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runFlow } from "../../../local/testing/run-flow.ts";
import { isNight } from "../../helpers/by-day.ts";
import { act, createFlowWorld } from "./flow-world.ts";

/** All that a flow can do, with an answer that arrives before the flow waits for it. */
async function play(killAt: number) {
  const flow = defineFlow(
    "all-of-it",
    { input: z.object({}), waitsFor: ["message_sent"] },
    async (flow: Flow<"message_sent">) => {
      await flow.do(
        "ask",
        act(() => world, "ask"),
      );
      const answer = await flow.waitFor("message_sent", { within: { minutes: 30 } });
      await flow.wait({ minutes: 10 });
      const both = await flow.all([
        (way) =>
          way.do(
            "left",
            act(() => world, "left"),
          ),
        async (way) => {
          await way.wait({ minutes: 1 });
          return way.do(
            "right",
            act(() => world, "right"),
          );
        },
      ]);
      const first = await flow.any([
        async (way) => {
          await way.wait({ days: 1 });
          return "slow";
        },
        async (way) =>
          (await way.waitFor("message_sent", { within: { minutes: 5 } })) === undefined
            ? "nobody"
            : "somebody",
      ]);
      const isRead = answer?.head.occurredAt instanceof Date;
      return {
        text: answer?.message.data.text,
        isRead,
        both,
        first,
        at: (await flow.now()) instanceof Date,
      };
    },
  );
  const world = createFlowWorld([flow], {
    killAt,
    atPoint: async (name) => {
      // The earliest possible answer: before the question is stored as done.
      if (name === "after act ask") await world.deliver(events.messageSent({ text: "yes" }), { key: "yes" });
    },
  });
  const arn = await world.start("all-of-it", {});
  await world.play(1440);
  return { world, execution: world.statusOf(arn) };
}
const expected = {
  text: "yes",
  isRead: true,
  both: [{ id: "left" }, { id: "right" }],
  first: "nobody",
  at: true,
};

it("a flow whose process crashes runs each step once and has the same result, wherever it crashed", {
  timeout: 600_000,
}, async () => {
  const { world: undisturbed, execution } = await play(Number.MAX_SAFE_INTEGER);
  expect(JSON.parse(execution.Result ?? "null")).toEqual(expected);
  // Odd points lie before a call, even ones after it: nothing happens between an even one and the next.
  const every = isNight ? 1 : 2;
  const points = Array.from(
    { length: Math.floor(undisturbed.points() / every) },
    (_, at) => every * (at + 1),
  );

  // In parallel: most of the time they wait for the SDK to suspend them.
  const plays = points.map(async (killAt) => {
    const { world, execution } = await play(killAt);
    const seen = { acts: [...world.acts].sort(), result: JSON.parse(execution.Result ?? "null") };
    const isRight =
      JSON.stringify(seen) === JSON.stringify({ acts: ["ask", "left", "right"], result: expected });
    return isRight ? [] : [{ killAt, status: execution.Status, ...seen }];
  });
  const wrong = (await Promise.all(plays)).flat();

  expect(undisturbed.points()).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});

const visits = defineState("visits", z.object({ count: z.number() }), { per: "user", keepFor: "2d" });
const counted = () => {
  let runs = 0;
  const flow = defineFlow("own-code", z.object({}), async (flow) => {
    const before = await flow.state(visits, "ann").get();
    for (let turn = 0; turn < 2; turn += 1)
      await flow.state(visits, "ann").update((known) => ({ count: (known?.count ?? 0) + 1 }));
    const all = await flow.list("members", { limit: 2 }, members.list, "lobby");
    const name = await flow.run("own", async ({ call }) => {
      runs += 1;
      const [first] = await call(members.list, "lobby").toArray({ limit: 1 });
      return `${first?.uid} ${runs}`;
    });
    await flow.wait({ hours: 1 });
    return {
      before,
      uids: all.map(({ uid }) => uid).toSorted(),
      name,
      after: await flow.state(visits, "ann").get(),
    };
  });
  return { flow, runs: () => runs };
};

it("reads and changes state, reads lists, and runs its own code once", async () => {
  const { flow, runs } = counted();
  const { result, remembered, cause } = await runFlow(flow, {});

  expect(cause).toBeUndefined();
  expect(result).toMatchObject({ after: { count: 2 }, name: expect.stringMatching(/^\w+ 1$/) });
  expect(Object(result).uids).toHaveLength(2);
  expect(remembered).toEqual({ visits: { ann: { count: 2 } } });
  expect(runs()).toBe(1);
});

it.each([
  "before checkpoint",
  "after checkpoint",
  "after dynamodb.PutItem",
  "after GET /groups/lobby/members",
] as const)("changes state once, with a crash %s", async (crash) => {
  const { result } = await runFlow(counted().flow, {}, { crash });
  expect(result).toMatchObject({ after: { count: 2 } });
});

it("reads lists and its own state in shadow, and ends at custom code", async () => {
  const { flow, runs } = counted();
  const { remembered, wouldHave, state } = await runFlow(flow, {}, { shadow: true });

  expect([state, runs()]).toEqual(["succeeded", 0]);
  expect(wouldHave).toMatchObject([{ name: "own", kind: "once" }]);
  expect(remembered).toEqual({ visits: { ann: { count: 2 } } }); // its own
});

class Own {
  readonly a = 1;
}

it.each([
  ["a date", new Date(0)],
  ["a date within", { due: [new Date(0)] }],
  ["a set", new Set(["a"])],
  ["a promise within", { later: Promise.resolve(1) }],
  ["an object of a class", new Own()],
])("refuses a result that would change: %s", async (_, value) => {
  let runs = 0;
  const work = () => {
    runs += 1;
    return value;
  };
  const flow = defineFlow("own-code", z.object({}), async ({ run }) =>
    Reflect.apply(run, undefined, ["own", work]),
  );

  const { cause } = await runFlow(flow, {});

  expect([String(Object(cause).message ?? cause), runs]).toEqual([expect.stringContaining("is not JSON"), 1]);
});

it("does not compile code of the flow whose result is not JSON", () => {
  const flow = defineFlow("own-code", z.object({}), async (flow) => {
    // @ts-expect-error
    await flow.run("own", () => new Set(["a"]));
    // @ts-expect-error
    await flow.run("own", async () => new Date());
    await flow.run("own", async () => {});
  });
  expect(flow.name).toBe("own-code");
});
