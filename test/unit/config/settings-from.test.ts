import { expect, it } from "vitest";
import * as z from "zod/mini";
import { settingsFrom } from "../../../lib/chat/settings-from.ts";

const schema = z.object({ hosts: z.array(z.string()), by: z.object({ uid: z.string() }) });
const content = { hosts: ["a.example.com"], by: { uid: "ann" } };

it("no handler changes what the next event's handler, or another app's, is given", () => {
  const settings = settingsFrom({ default: content, apps: {} }, schema);

  expect(() => settings.of("app-1").hosts.push("b.example.com")).toThrow(TypeError);
  expect(() => Object.assign(settings.of("app-1").by, { uid: "bob" })).toThrow(TypeError);

  expect(settings.of("app-2")).toEqual(content);
});

it.each(["constructor", "__proto__", "toString", "APP-1", ""])(
  "an app named %s has nobody else's settings",
  (appId) => {
    const own = { hosts: [], by: { uid: "bob" } };
    const settings = settingsFrom({ default: content, apps: { "app-1": own } }, schema);

    expect(settings.of(appId)).toEqual(content);
    expect(settings.of("app-1")).toEqual(own);
  },
);
