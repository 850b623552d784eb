import { expect, it } from "vitest";
import * as z from "zod/mini";
import { members } from "../../../lib/chat/resources/members.ts";
import { defineState } from "../../../lib/effects/state/define-state.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { runFlow } from "../../../local/testing/run-flow.ts";

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

it("reads lists and its own state in shadow, and ends at its own code", async () => {
  const { flow, runs } = counted();
  const { remembered, wouldHave, state } = await runFlow(flow, {}, { shadow: true });

  expect([state, runs()]).toEqual(["succeeded", 0]);
  expect(wouldHave).toMatchObject([{ name: "own", kind: "once" }]);
  expect(remembered).toEqual({ visits: { ann: { count: 2 } } }); // of its own
});

class Own {
  readonly a = 1;
}

it.each([
  ["a date", new Date(0)],
  ["a date within", { due: [new Date(0)] }],
  ["an invalid date", new Date(Number.NaN)],
  ["a map", new Map([["a", 1]])],
  ["a set", new Set(["a"])],
  ["an error", new Error("no")],
  ["a pattern", /a/],
  ["bytes", new Uint8Array(2)],
  ["a promise within", { later: Promise.resolve(1) }],
  ["an object of a class", new Own()],
])("fails at a result that would change: %s", async (_, value) => {
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

it("does not compile with such a result", () => {
  const flow = defineFlow("own-code", z.object({}), async (flow) => {
    // @ts-expect-error
    await flow.run("own", () => new Set(["a"]));
    // @ts-expect-error
    await flow.run("own", async () => new Date());
    await flow.run("own", async () => {});
  });
  expect(flow.name).toBe("own-code");
});
