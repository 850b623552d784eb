import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { InvalidSecretError } from "../../../../lib/aws/secrets/parse-secret.ts";
import { groups } from "../../../../lib/chat/resources/groups.ts";
import type { Effect } from "../../../../lib/effects/effect.ts";
import { onTrigger, type Trigger, type TriggerContext } from "../../../../lib/handle/on-trigger.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { runs } from "../../../helpers/property-runs.ts";
import { body, createAttemptWorld, namesOfBody, reply } from "../../handle/attempt-world.ts";

const text = { ...reply, text: "private" } as const;
const question = { id: "1", sender: "ann", conversationId: "ann_user_support", receiver: "support" };

type Handle = (context: TriggerContext) => Promise<void>;
const on = (handle: Handle): Trigger => onTrigger(["message_sent", "user_blocked"], handle);

/** What a handler may do. */
const deeds = {
  sends: async ({ effects }) => void (await effects.sendText("a", text)),
  remembers: async ({ effects }) => void (await effects.sendText("b", text, { isRemembered: true })),
  answers: async ({ effects }) => void (await effects.answer("c", text, question)),
  works: async ({ effects }) => void (await effects.once("d", () => Promise.reject(new Error("it ran")))),
  calls: async ({ effects }) => void (await effects.do("e", groups.update, "guid", { name: "x" })),
  "does not await": async ({ effects }) => void effects.sendText("f", text).catch(() => {}),
  deletes: async ({ chat }) => void (await chat.users.delete("ann")),
  "uses another family": async ({ chat }) => void (await chat.using({ groups }).groups.delete("guid")),
  "calls by itself": async ({ chat }) => void (await chat.call(groups.update, "guid", { name: "x" })),
  "asks by path": async ({ chat }) =>
    void (await chat.request({ method: "PUT", path: "/users/ann", body: {}, answer: z.unknown() })),
  "sends by itself": async ({ chat }) =>
    void (await chat.messages.send({ ...text, category: "message", type: "text", data: { text: "x" } })),
  reads: async ({ chat }) => void (await chat.users.get("ann")),
  fails: () => Promise.reject(new Error("a fault")),
  waits: async ({ now }) => void now(),
} satisfies Record<string, Handle>;

/** Services whose triggers are deployed in shadow. */
function shadowed(triggers: Record<string, Trigger>, more: object = {}) {
  return createAttemptWorld(triggers, { shadowed: new Set(Object.keys(triggers)), ...more });
}

describe("a trigger in shadow", () => {
  it("logs and counts what it would do, without a text, and continues as if it were done", async () => {
    const ids: string[] = [];
    const world = shadowed({
      reply: on(async ({ effects }) => {
        ids.push((await effects.sendText("reply", text)).id);
        ids.push(Object(await effects.answer("answer", text, question)).id);
      }),
    });

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(ids).toEqual(["0", "0"]);
    expect(world.requests).toEqual([]);
    expect(world.tables.effects.items()).toEqual([]);
    expect(world.log.slice(0, -1)).toEqual(
      ["reply", "answer"].map((effect) => ({
        level: "info",
        message: "would have done an effect",
        fields: {
          ...namesOfBody,
          step: "message_sent reply",
          effect,
          kind: "send-message",
        },
      })),
    );
    const counted = ["EffectShadowed", { appId: "app-1", trigger: "reply", effect: "send-message" }];
    expect(world.counted).toEqual([counted, counted]);
    expect(JSON.stringify(world.log)).not.toContain("private");
  });

  it("checks as usual whether an effect is needed", async () => {
    const answers: unknown[] = [];
    const world = shadowed({
      reply: on(async ({ effects }) => {
        answers.push(await effects.answer("answer", text, { ...question, sender: "app_system" }));
      }),
    });

    await world.attempt(body);

    expect(answers).toEqual([{ passedOver: "own-message" }]);
    expect(world.log).toContainEqual(
      expect.objectContaining({
        message: "held an effect back",
        fields: expect.objectContaining({ effect: "answer", how: "own-message" }),
      }),
    );
    expect(world.counted).toEqual([]);
  });

  it.each([
    ["custom work, which is not run", "works", "once"],
    ["an operation whose answer it needs", "calls", "update-group"],
    ["a direct request", "deletes", "chat-request"],
    ["a request of another family", "uses another family", "chat-request"],
    ["an operation that it calls directly", "calls by itself", "chat-request"],
    ["a request by its path", "asks by path", "chat-request"],
  ] as const)("ends at %s, and counts as done", async (_case, deed, effect) => {
    const after: string[] = [];
    const world = shadowed({
      first: on(async (context) => {
        await deeds[deed](context);
        after.push("went on");
      }),
      second: on(async () => void after.push("second")),
    });

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect([after, world.requests]).toEqual([["second"], []]);
    expect(world.counted).toEqual([["EffectShadowed", { appId: "app-1", trigger: "first", effect }]]);
    expect(world.log.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("may read, with the app's own client", async () => {
    const world = shadowed({
      reader: on(async ({ chat }) => void (await chat.users.get("ann").catch(() => {}))),
    });

    await world.attempt(body);

    expect(world.requests).toMatchObject([{ method: "GET" }]);
  });

  it("delays no trigger by its failures, which are logged with their place and counted", async () => {
    const runs: string[] = [];
    const world = shadowed({
      faulty: on(() => Promise.reject(new TypeError("a bug"))),
      noSecret: on(() => Promise.reject(new InvalidSecretError("Secret x has no text."))),
      fine: on(async () => void runs.push("fine")),
    });

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(runs).toEqual(["fine"]);
    expect(world.log[0]).toEqual({
      level: "warn",
      message: "a trigger failed in shadow",
      fields: expect.objectContaining({
        appId: "app-1",
        deliveryKey: "app-1|message_sent|1",
        step: "message_sent faulty",
        cause: expect.stringMatching(/^TypeError at /),
        stack: expect.stringContaining("shadow-mode.test.ts"),
      }),
    });
    expect(world.counted).toEqual(
      ["faulty", "noSecret"].map((trigger) => ["TriggerFailedInShadow", { appId: "app-1", trigger }]),
    );
  });

  it("delays no acting trigger if it never ends, and does not run again", async () => {
    const runs: string[] = [];
    const world = createAttemptWorld(
      {
        hangs: on(() => new Promise(() => {})),
        next: on(async () => void runs.push("next in shadow")),
        live: on(async () => void runs.push("live")),
      },
      { shadowed: new Set(["hangs", "next"]) },
    );

    const outcome = await world.attemptInTime(body);
    expect(runs).toEqual(["live"]);
    expect(outcome).toMatchObject({ kind: "wait", progress: { tries: {} } });

    await world.attemptInTime(body, { progress: Object(outcome).progress });
    expect(runs).toEqual(["live", "next in shadow"]);
    expect(world.counted).toEqual([["TriggerFailedInShadow", { appId: "app-1", trigger: "hangs" }]]);
  });

  it("does not run a third time after it crashed its process twice", async () => {
    const runs: string[] = [];
    const world = shadowed({ dies: on(async () => void runs.push("dies")) });
    const progress = { ...noProgress, deaths: 2, crashed: "message_sent dies" };

    expect(await world.attempt(body, { progress })).toEqual({ kind: "done" });

    expect(runs).toEqual([]);
    expect(world.counted).toEqual([["TriggerFailedInShadow", { appId: "app-1", trigger: "dies" }]]);
  });

  it("performs an effect that is stored separately in shadow", async () => {
    const done: string[] = [];
    const effect: Effect<boolean> = {
      kind: "state",
      isKeptApart: true,
      stepsWith: (_tools, ofEffect) => ({ act: async () => done.push(ofEffect) > 0 }),
    };
    const world = shadowed({ one: on(async ({ effects }) => void (await effects.do("count", effect))) });

    await world.attempt(body);
    await world.attempt(body);
    await world.attempt(events.messageSent({ id: "2" }));

    expect(done[0]).toBe(done[1]);
    expect(new Set(done).size).toBe(2);
    expect(world.counted).toEqual([]);
  });

  it("reads its results as usual", async () => {
    const given: unknown[] = [];
    const read = (kept: unknown) => `read ${kept}`;
    const act = async () => "acted";
    const asking: Effect<string> = { kind: "a", stepsWith: () => ({ ask: async () => "asked", act, read }) };
    const apart: Effect<string> = { kind: "b", isKeptApart: true, stepsWith: () => ({ act, read }) };
    const world = shadowed({
      one: on(
        async ({ effects }) => void given.push(await effects.do("a", asking), await effects.do("b", apart)),
      ),
    });

    await world.attempt(body);

    expect(given).toEqual(["read asked", "read acted"]);
  });

  it("enters and leaves shadow at runtime, per app", async () => {
    const reply = on(async ({ effects }) => void (await effects.sendText("reply", text)));
    const world = createAttemptWorld({ live: reply, shown: reply }, { shadowed: new Set(["shown"]) });
    await world.shadow.set("app-2", "trigger", "live", true);
    await world.shadow.set("app-1", "flow", "live", true);
    await world.attempt(body);
    expect(world.requests).toHaveLength(1);

    await world.shadow.set("app-1", "trigger", "live", true);
    await world.attempt(events.messageSent({ id: "2" }));
    expect(world.requests).toHaveLength(1);

    await world.shadow.set("app-1", "trigger", "live", false);
    await world.shadow.set("app-1", "trigger", "shown", false);
    await world.attempt(events.messageSent({ id: "3" }));
    expect(world.requests).toHaveLength(3);
  });

  it("is reported if a name set in shadow is not that of a trigger", async () => {
    const world = createAttemptWorld({ live: on(async () => {}) });
    await world.shadow.set("app-1", "trigger", "lvie", true);
    await world.shadow.set("app-1", "trigger", "live", true);

    await world.attempt(body);
    await world.attempt(body);

    expect(world.counted).toContainEqual(["ShadowUnknown", { appId: "app-1" }]);
    expect(world.log.filter(({ level }) => level === "warn")).toEqual([
      {
        level: "warn",
        message: "a trigger is set to be in shadow, and there is none of that name",
        fields: { appId: "app-1", triggerName: "lvie" },
      },
    ]);
  });

  it("leaves the platform and the table of effects unchanged, for any handler", async () => {
    const deed = fc.record({
      act: fc.constantFrom<Handle[]>(...Object.values(deeds)),
      isCaught: fc.boolean(),
    });
    const delivery = fc.constantFrom(body, events.userBlocked(), events.messageSent({ id: "2" }));

    await fc.assert(
      fc.asyncProperty(
        fc.array(deed),
        fc.array(delivery, { minLength: 1, maxLength: 4 }),
        async (plan, bodies) => {
          const handler = on(async (context) => {
            for (const { act, isCaught } of plan) {
              const begun = act(context);
              await (isCaught ? begun.catch(() => {}) : begun);
            }
          });
          const world = shadowed({ handler });

          for (const delivered of bodies)
            expect(await world.attemptInTime(delivered)).toEqual({ kind: "done" });

          expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
          expect(world.tables.effects.items()).toEqual([]);
        },
      ),
      runs(50),
    );
  });
});
