import { beforeEach, describe, expect, it } from "vitest";
import {
  longestPauseMs,
  PauseSettingError,
  pauseAttribute,
  pauseInForce,
  readPauseAttribute,
} from "../../../../lib/effects/health/pause-settings.ts";
import { createPauseStore, listPauses, type PauseStore } from "../../../../lib/queue/pauses/pause-store.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const app = { kind: "app" } as const;
const reply = { kind: "trigger", name: "auto-reply" } as const;

describe("createPauseStore", () => {
  let table: ReturnType<typeof createMemoryTable>;
  let store: PauseStore;
  let nowMs: number;
  let tokens: number;

  beforeEach(() => {
    nowMs = 1_000;
    tokens = 0;
    table = createMemoryTable("lane", "item");
    store = storeOf(table.update);
  });
  const storeOf = (update: typeof table.update) =>
    createPauseStore(
      { ...table, update },
      () => nowMs,
      () => `pause-${++tokens}`,
    );
  it("keeps all pauses of an app in one item without expiry, with author, reason and end", async () => {
    await store.begin("a", app, { by: "ann", reason: "too loud", untilMs: 5_000 });
    await store.begin("a", reply, { by: "bela" });
    await store.begin("b", app, { by: "ann" });

    expect(await store.read("a")).toEqual(
      new Map([
        ["app", { id: "pause-1", sinceMs: 1_000, untilMs: 5_000, by: "ann", reason: "too loud" }],
        [
          "trigger auto-reply",
          { id: "pause-2", sinceMs: 1_000, untilMs: 1_000 + longestPauseMs, by: "bela" },
        ],
      ]),
    );
    expect(table.items()).toHaveLength(2);
    expect(table.items().filter((item) => "expiration" in item)).toEqual([]);
  });

  it("continues a pause in force with a new end, at most 14 days after its beginning", async () => {
    const first = await store.begin("a", app, { by: "ann", reason: "why" });
    nowMs = 9_000;

    const again = await store.begin("a", app, { by: "bela", untilMs: Number.MAX_SAFE_INTEGER });

    expect(again).toEqual({ ...first, untilMs: 1_000 + longestPauseMs });
  });

  it("begins another pause after the previous one ended", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });
    nowMs = 2_000;

    const next = await store.begin("a", app, { by: "bela" });

    expect(next).toMatchObject({ id: "pause-2", sinceMs: 2_000, by: "bela" });
  });

  it("ends only the given target's pause, and reports it once", async () => {
    await store.begin("a", app, { by: "ann" });
    await store.begin("a", reply, { by: "ann" });

    expect(await store.end("a", reply)).toMatchObject({ id: "pause-2" });
    expect(await store.end("a", reply)).toBeUndefined();
    expect([...(await store.read("a")).keys()]).toEqual(["app"]);
  });

  it("changes the end only of a pause that is in force", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });

    expect(await store.extend("a", app, "pause-1", 3_000)).toBe(true);
    expect(await store.extend("a", app, "pause-2", 9_000)).toBe(false);
    nowMs = 3_000;
    expect(await store.extend("a", app, "pause-1", 9_000)).toBe(false);

    expect((await store.read("a")).get("app")).toMatchObject({ untilMs: 3_000 });
  });

  it("removes only an expired pause", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });

    expect(await store.endIfOver("a", "pause-1")).toBe(false);
    nowMs = 2_000;
    expect(await store.endIfOver("a", "pause-2")).toBe(false);
    expect(await store.endIfOver("a", "pause-1")).toBe(true);

    expect(await store.read("a")).toEqual(new Map());
  });

  it("removes no pause that was changed between reading and writing", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });
    let isFirst = true;
    const racing = storeOf(async (...call) => {
      if (isFirst) {
        isFirst = false;
        nowMs = 1_500;
        await store.extend("a", app, "pause-1", 4_000);
        nowMs = 2_000;
      }
      return table.update(...call);
    });
    nowMs = 2_000;

    expect(await racing.endIfOver("a", "pause-1")).toBe(false);

    expect((await store.read("a")).get("app")).toMatchObject({ untilMs: 4_000 });
  });

  it("reports the removed pause even if the answer is lost", async () => {
    await store.begin("a", app, { by: "ann" });
    const lossy = storeOf(async (...call) => {
      await table.update(...call);
      return { ok: false, maybeOurs: true };
    });
    expect(await lossy.end("a", app)).toMatchObject({ id: "pause-1" });
  });

  it.each([
    { app: "yes" },
    { app: '{"id":"x"}' },
    { everything: '{"id":"x","sinceMs":1,"untilMs":2,"by":"ann"}' },
  ])("refuses %j, so that no trigger acts that may be paused", async (attributes) => {
    await table.put({ lane: "app a", item: "in-pause", ...attributes });

    await expect(store.read("a")).rejects.toThrow(PauseSettingError);
  });

  it("treats a pause as in force until its end", async () => {
    const pause = await store.begin("a", app, { by: "ann", untilMs: 2_000 });
    const settings = await store.read("a");

    expect(pauseInForce(settings, app, 1_999)).toEqual(pause);
    expect(pauseInForce(settings, app, 2_000)).toBeUndefined();
    expect(listPauses(settings, 1_999)).toEqual([{ ...pause, target: app }]);
    expect(listPauses(settings, 2_000)).toEqual([]);
  });

  it.each([app, { kind: "lease" } as const, reply, { kind: "flow", name: "a b" } as const])(
    "writes %j as a name that can be read back",
    (target) => {
      expect(readPauseAttribute(pauseAttribute(target))).toEqual(target);
    },
  );
});
