import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiderOf, hideSecrets, rememberSecret } from "../../../lib/base/known-secrets.ts";
import { runs } from "../../helpers/property-runs.ts";
import { harmlessRest, secretForms } from "../../helpers/secret-forms.ts";

const password = 'p&ß"w/ör+d=<é> 1';
const apiKey = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c";

describe("a remembered secret", () => {
  rememberSecret(password);
  rememberSecret(apiKey);

  it.each(secretForms)("is hidden as %s", (_, write) => {
    for (const secret of [password, apiKey]) {
      expect(hideSecrets(write(secret))).toMatch(harmlessRest);
      const inside = hideSecrets(`{"note":"50 % of (${write(secret)}) & more\\n"}`);
      expect(/^\{"note":"50 % of \((.*)\) & more\\n"\}$/.exec(inside)?.[1]).toMatch(harmlessRest);
    }
  });

  it("is hidden in any form, whatever it is and whatever surrounds it", () => {
    const secret = fc
      .oneof(
        fc.string({ minLength: 6, maxLength: 60, unit: "grapheme-ascii" }),
        fc.string({ minLength: 6, maxLength: 30, unit: "grapheme" }),
        fc.string({ minLength: 6, maxLength: 30, unit: fc.constantFrom(..."ab0+/=-_%25&#;\\\"'<é") }),
      )
      .filter((text) => text.trim().length > 5);
    const around = fc.string().map((text) => `${text}(`);
    fc.assert(
      fc.property(
        secret,
        around,
        fc.string(),
        fc.constantFrom(...secretForms),
        (value, before, after, form) => {
          const [, write] = form;
          fc.pre(hiderOf([value])(`${before})${after}`) === `${before})${after}`);
          const clean = hiderOf([value])(`${before}${write(value)})${after}`);
          const rest = clean.slice(before.length, clean.length - after.length - 1);
          expect(rest).toMatch(harmlessRest);
        },
      ),
      runs(),
    );
  });

  it("leaves each of two that overlap hidden", () => {
    expect(hiderOf(["first-and", "and-second"])("it is first-and-second.")).toBe("it is [redacted].");
  });

  it.each([
    ["half a character", "half \ud83d of one"],
    ["a whole certificate", "-----BEGIN ".repeat(50_000)],
  ])("may be %s", (_, secret) => {
    expect(hiderOf([secret])(`It is ${secret}.`)).toBe("It is [redacted].");
  });

  it.each([
    ["it", "it fits", "it fits"],
    ["test", "the latest tests of Test and test", "the latest tests of [redacted] and [redacted]"],
    ["chats", "chats, chatstarter", "[redacted], chatstarter"],
  ])("leaves words alone that hold a short one: %s", (secret, text, shown) => {
    expect(hiderOf([secret])(text)).toBe(shown);
  });

  it("leaves a text without it unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(hideSecrets(text)).toBe(text);
      }),
      runs(),
    );
  });
});
