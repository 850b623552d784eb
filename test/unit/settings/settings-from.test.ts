import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { checkedSettings, sameForEveryApp, settingsFrom } from "../../../lib/chat/settings-from.ts";

const schema = z.strictObject({ text: z.string(), limit: z._default(z.number(), 3) });
const file = { default: { text: "Hello" }, apps: { "app-1": { text: "Hallo", limit: 5 } } };

describe("settingsFrom", () => {
  it("returns an app's own content, and the shared one for other apps", () => {
    const settings = settingsFrom(file, schema);

    expect(settings.of("app-1")).toEqual({ text: "Hallo", limit: 5 });
    expect(settings.of("app-2")).toEqual({ text: "Hello", limit: 3 });
    expect(settings.of(undefined)).toBe(settings.of("app-2"));
    expect(settings.all()).toEqual([settings.of(undefined), settings.of("app-1")]);
  });

  it.each(["__proto__", "APP-1"])("does not find content for the app id %j", (appId) => {
    expect(settingsFrom(file, schema).of(appId)).toEqual({ text: "Hello", limit: 3 });
  });

  it("parses a content at its first use, so that one app's mistake does not affect another", () => {
    const settings = settingsFrom({ ...file, apps: { "app-1": { texts: "Hallo" } } }, schema);

    expect(settings.of("app-2").text).toBe("Hello");
    expect(() => settings.of("app-1")).toThrow(/texts/);
  });

  it("protects the content from changes by handlers", () => {
    const { by } = settingsFrom(
      { default: { by: { uid: "ann" } }, apps: {} },
      z.looseObject({ by: z.object({ uid: z.string() }) }),
    ).of("app-1");

    expect(() => Object.assign(by, { uid: "bob" })).toThrow(TypeError);
  });

  it("derives a value once for all apps that share a content", () => {
    const made: string[] = [];
    const lengths = settingsFrom(file, schema).map(({ text }) => made.push(text));

    const found = ["app-2", "app-1", "app-3", undefined, "app-1"].map((appId) => lengths.of(appId));

    expect(found).toEqual([1, 2, 1, 1, 2]);
    expect(made).toEqual(["Hello", "Hallo"]);
  });
});

describe("checkedSettings", () => {
  it.each(["app-2", "__proto__", undefined])(
    "returns the shared content unchanged for the app %j",
    (appId) => {
      expect(checkedSettings(file).of(appId)).toBe(file.default);
    },
  );

  it("returns an app's own content, which handlers cannot change", () => {
    const own = checkedSettings<object>(file).of("app-1");

    expect(own).toBe(file.apps["app-1"]);
    expect(() => Object.assign(own, { text: "Hi" })).toThrow(TypeError);
  });
});

describe("sameForEveryApp", () => {
  it("returns the same for every app", () => {
    const settings = sameForEveryApp({ text: "Hello" });

    expect(settings.of("app-1")).toBe(settings.of(undefined));
    expect(settings.all()).toEqual([{ text: "Hello" }]);
  });
});
