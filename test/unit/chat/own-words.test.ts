import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { caught } from "./caught-client.ts";

const before = { customError: undefined, ...z.config() };
afterEach(() => void z.config(before));

describe("What is said of a wrong call", () => {
  it.each([
    ["a language", z.locales.de()],
    [
      "messages that quote values",
      { customError: (issue: { input?: unknown }) => `got ${String(issue.input)}` },
    ],
  ])("stays the same where somebody sets %s for all of zod", async (_, settings) => {
    z.config(settings);
    const { chat } = caught();

    const called = Reflect.apply(chat.users.create, undefined, [{ uid: "u1", name: 77_177 }]);

    await expect(called).rejects.toMatchObject({ field: "name", rule: "of type string, not number" });
  });
});
