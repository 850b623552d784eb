import { beforeEach, describe, expect, it } from "vitest";
import {
  PauseSettingError,
  pauseAttribute,
  pauseInForce,
  pauseWord,
  readPauseAttribute,
} from "../../../../lib/effects/health/pause-settings.ts";
import { createPauseStore, listPauses, type PauseStore } from "../../../../lib/queue/pauses/pause-store.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const longestPauseMs = 1_209_600_000; // 14 days
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
  it("keeps all pauses of an app in one item that no table forgets, each with who, why and until when", async () => {
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

  it("goes on with a pause that is in force, with another end, and never beyond 14 days from its beginning", async () => {
    const first = await store.begin("a", app, { by: "ann", reason: "why" });
    nowMs = 9_000;

    const again = await store.begin("a", app, { by: "bela", untilMs: Number.MAX_SAFE_INTEGER });

    expect(again).toEqual({ ...first, untilMs: 1_000 + longestPauseMs });
  });

  it("begins another pause where the one before is over", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });
    nowMs = 2_000;

    const next = await store.begin("a", app, { by: "bela" });

    expect(next).toMatchObject({ id: "pause-2", sinceMs: 2_000, by: "bela" });
  });

  it("ends the pause of one target alone, and says so once", async () => {
    await store.begin("a", app, { by: "ann" });
    await store.begin("a", reply, { by: "ann" });

    expect(await store.end("a", reply)).toMatchObject({ id: "pause-2" });
    expect(await store.end("a", reply)).toBeUndefined();
    expect([...(await store.read("a")).keys()]).toEqual(["app"]);
  });

  it("gives a pause that is in force another end, and no other pause", async () => {
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });

    expect(await store.extend("a", app, "pause-1", 3_000)).toBe(true);
    expect(await store.extend("a", app, "pause-2", 3_000)).toBe(false);
    expect(await store.extend("a", reply, "pause-1", 3_000)).toBe(false);
    nowMs = 3_000;
    expect(await store.extend("a", app, "pause-1", 9_000)).toBe(false);

    expect((await store.read("a")).get("app")).toMatchObject({ untilMs: 3_000 });
  });

  it("takes away a pause whose time is over, and no other", async () => {
    await store.begin("a", reply, { by: "ann" });
    await store.begin("a", app, { by: "ann", untilMs: 2_000 });

    expect(await store.endIfOver("a", "pause-2")).toBe(false);
    nowMs = 2_000;
    expect(await store.endIfOver("a", "pause-1")).toBe(false);
    expect(await store.endIfOver("a", "pause-2")).toBe(true);

    expect([...(await store.read("a")).keys()]).toEqual(["trigger auto-reply"]);
  });

  it("takes nothing away that was changed between reading and writing", async () => {
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

  it("says what it took away although the answer got lost", async () => {
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
  ])("refuses %j, so that nothing acts that may be paused", async (attributes) => {
    await table.put({ lane: "app a", item: "in-pause", ...attributes });

    await expect(store.read("a")).rejects.toThrow(PauseSettingError);
  });

  it("counts a pause up to its end, and lists the first one first", async () => {
    const first = await store.begin("a", reply, { by: "ann" });
    nowMs = 1_500;
    const pause = await store.begin("a", app, { by: "ann", untilMs: 2_000 });
    const settings = new Map([...(await store.read("a"))].toSorted());

    expect(pauseInForce(settings, app, 1_999)).toEqual(pause);
    expect(pauseInForce(settings, app, 2_000)).toBeUndefined();
    expect(listPauses(settings, 1_999)).toEqual([
      { ...first, target: reply },
      { ...pause, target: app },
    ]);
    expect(listPauses(settings, 2_000)).toEqual([{ ...first, target: reply }]);
  });

  it.each([app, { kind: "lease" } as const, reply, { kind: "flow", name: "a b" } as const])(
    "names %j so that it can be read back",
    (target) => {
      expect(readPauseAttribute(pauseAttribute(target))).toEqual(target);
      expect(pauseWord(target)).toBe("name" in target ? `${target.kind}:${target.name}` : target.kind);
    },
  );
});
