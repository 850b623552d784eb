import { describe, expect, it } from "vitest";
import { createHealthStore } from "../../../../lib/effects/health/health-store.ts";
import {
  createShadowStore,
  namesSetFor,
  ShadowSettingError,
  shadowSetFor,
} from "../../../../lib/effects/shadow/shadow-settings.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

function prepare() {
  const lanes = createMemoryTable("lane", "item");
  const health = createHealthStore(lanes, () => 0);
  const shadow = createShadowStore(lanes);
  return { lanes, health, shadow };
}

describe("the settings of shadow", () => {
  it("are stored by app, kind and name, until they are reset", async () => {
    const { shadow } = prepare();
    const seen = async (appId: string) => [...(await shadow.read(appId)).set];
    expect(await seen("app-1")).toEqual([]);

    await shadow.set("app-1", "trigger", "auto-reply", true);
    await shadow.set("app-1", "flow", "auto-reply", false);
    await shadow.set("app-2", "trigger", "my trigger", true);

    const { set } = await shadow.read("app-1");
    expect(shadowSetFor({ set }, "trigger", "auto-reply")).toBe(true);
    expect(shadowSetFor({ set }, "flow", "auto-reply")).toBe(false);
    expect(shadowSetFor({ set }, "trigger", "my trigger")).toBe(undefined);
    expect([namesSetFor({ set }, "trigger"), namesSetFor({ set }, "flow")]).toEqual([
      ["auto-reply"],
      ["auto-reply"],
    ]);
    expect(await seen("app-2")).toEqual([["trigger my trigger", true]]);

    await shadow.set("app-1", "trigger", "auto-reply", undefined);
    await shadow.set("app-1", "trigger", "auto-reply", undefined);
    expect(await seen("app-1")).toEqual([["flow auto-reply", false]]);
  });

  it.each([
    ["a text instead of true", { "trigger auto-reply": "true" }, "trigger auto-reply"],
    ["a number", { "flow refund": 1 }, "flow refund"],
    ["a null", { "flow refund": null }, "flow refund"],
    ["another kind", { "triggers auto-reply": true }, "triggers auto-reply"],
    ["no name", { "trigger ": true }, "trigger "],
    ["a name without a kind", { "auto-reply": true }, "auto-reply"],
  ])(
    "are not guessed from %s, since a trigger that may not act could act",
    async (_case, attributes, name) => {
      const { lanes, health, shadow } = prepare();
      await lanes.put({ lane: "app app-1", item: "in-shadow", "trigger welcome": true, ...attributes });

      await expect(health.read("app-1")).rejects.toThrow(ShadowSettingError);
      await expect(shadow.read("app-1")).rejects.toThrow(
        `for app app-1 cannot be read: the attribute "${name}"`,
      );
      expect((await health.read("app-2")).shadow.set.size).toBe(0);
    },
  );
});
