import { describe, expect, it } from "vitest";
import type { EffectTools } from "../../../lib/effects/effect.ts";
import { EffectBusyError, EffectNotClearError, EventEndedError } from "../../../lib/effects/effect-errors.ts";
import { createEffects } from "../../../lib/effects/effects.ts";
import { createPendingWork, watchEffects } from "../../../lib/effects/watch-effects.ts";
import { awsFailure, chatSilence } from "../../helpers/failed-calls.ts";
import { createTestGuard } from "../../helpers/loop-guard.ts";

const effect = { name: "work", id: "1", of: "app-1|fact|trigger" };
const tools = {
  appId: "app-1",
  guard: createTestGuard("app-1"),
  limits: { deadlineMs: Number.MAX_SAFE_INTEGER, assertAlive: () => {} },
  now: () => 0,
} as EffectTools;

/** Effects that do what their work does, without any ledger. */
function createWatch() {
  const turns: string[] = [];
  const repeated: string[] = [];
  const late: string[] = [];
  const pending = createPendingWork(
    async () => void turns.push("let go"),
    (name, why) => void (why === "late" ? late : repeated).push(name),
  );
  const watch = watchEffects(pending, async (_name, { stepsWith }) => {
    const steps = stepsWith(tools, "the effect");
    return "read" in steps ? steps.read(await steps.act(false), effect) : steps.act(false);
  });
  return {
    pending,
    watch,
    effects: createEffects(watch.perform, watch.follow, tools),
    turns,
    repeated,
    late,
  };
}

const failWith = (error: Error) => async () => {
  throw error;
};

describe("watchEffects", () => {
  it("returns the effects' results, and does not wait if all were awaited", async () => {
    const { watch, effects, turns } = createWatch();
    const given: unknown[] = [];

    await watch.run(async () => {
      given.push(await effects.once("a", async () => 7));
      given.push(await effects.do("b", { kind: "greet", stepsWith: () => ({ act: async () => "hi" }) }));
    });

    expect(given).toEqual([7, "hi"]);
    expect(turns).toEqual([]);
  });

  it("reports once a name that is used again, in sequence or concurrently", async () => {
    const { watch, effects, repeated } = createWatch();

    await watch.run(async () => {
      for (const turn of [1, 2, 3]) await effects.once("in a row", async () => turn);
      await Promise.all([1, 2].map((turn) => effects.once("at a time", async () => turn)));
      await effects.once("failed before", failWith(new TypeError("a bug"))).catch(() => undefined);
      await effects.once("failed before", async () => 1);
    });

    expect(repeated).toEqual(["in a row", "at a time"]);
  });

  it.each([
    ["throws", "owned by another process", new EffectBusyError(effect, 0)],
    ["throws", "not clear", new EffectNotClearError(effect, 0)],
    ["throws", "ended with its attempt", new EventEndedError()],
    ["throws", "not begun, as the table is down", awsFailure("InternalError")],
    ["throws", "any of these, behind another error", new Error("outer", { cause: new EventEndedError() })],
    ["leaves", "hit by a bug", new TypeError("a bug")],
    ["leaves", "not answered by the platform", chatSilence()],
    ["leaves", "not answered by the event bus", awsFailure("InternalError", false, { service: "events" })],
  ])("%s an error that the handler catches of an effect that is %s", async (what, _how, error) => {
    const { watch, effects } = createWatch();

    const run = watch.run(async () => {
      await effects.once("work", failWith(error)).catch(() => undefined);
    });

    expect(await run.catch((thrown) => thrown)).toBe(what === "throws" ? error : undefined);
  });

  it("throws nothing for an effect that was begun again and is done", async () => {
    const { watch, effects } = createWatch();

    const run = watch.run(async () => {
      await effects.once("work", failWith(new EventEndedError())).catch(() => undefined);
      await effects.once("work", async () => 7);
    });

    await expect(run).resolves.toBeUndefined();
  });

  it("rethrows the handler's error after all that it began has ended", async () => {
    const { watch } = createWatch();
    const story: string[] = [];
    const later = Promise.withResolvers<number>();

    const run = watch.run(async () => {
      void watch.follow(later.promise.then(() => story.push("ended")));
      throw new TypeError("a bug");
    });
    run.catch(() => story.push("thrown"));
    await new Promise(setImmediate);
    later.resolve(7);

    await expect(run).rejects.toThrow("a bug");
    expect(story).toEqual(["ended", "thrown"]);
  });

  it("runs effects of one name in sequence, and those of two names concurrently", async () => {
    const { watch, effects } = createWatch();
    const story: string[] = [];
    const work = (name: string) => async () => {
      story.push(`${name} begins`);
      await new Promise(setImmediate);
      story.push(`${name} ends`);
      return name;
    };

    await watch.run(async () => {
      const { once } = effects;
      await Promise.all([once("a", work("a")), once("b", work("b")), once("a", work("a again"))]);
    });

    expect(story.slice(0, 2)).toEqual(["a begins", "b begins"]);
    expect(story.filter((line) => line.startsWith("a"))).toEqual([
      "a begins",
      "a ends",
      "a again begins",
      "a again ends",
    ]);
  });

  it("reports a repeated name also as late", async () => {
    const { watch, effects, repeated, late } = createWatch();
    const act = () => effects.once("work", async () => 1);

    await watch.run(async () => {
      await act();
      await act();
    });
    await act().catch(() => undefined);

    expect([repeated, late]).toEqual([["work"], ["work"]]);
  });

  it.each([
    ["ended", async () => undefined],
    ["failed", failWith(new Error("no"))],
  ])("begins nothing after the run %s, reports that once, and crashes no process", async (_how, handler) => {
    const { pending, watch, effects, late } = createWatch();
    const begun: string[] = [];
    const begin = async () => begun.push("late");
    await watch.run(handler).catch(() => undefined);

    void effects.once("work", begin);
    void pending.begin("send-message", begin);
    await expect(effects.once("work", begin)).rejects.toThrow(EventEndedError);

    expect([begun, late]).toEqual([[], ["work", "send-message"]]);
  });
});
