import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hideAndCut,
  hiderOf,
  hideSecrets,
  rememberAwsKeys,
  rememberSecret,
} from "../../../lib/base/known-secrets.ts";
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

  it("is hidden in any form and in any surrounding text", () => {
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

  it.each([
    [["first-and", "and-second"]],
    [["first-and-second", "first-and"]],
    [["first-and", "first-and-second"]],
  ])("is hidden if it overlaps another one: %j", (secrets) => {
    expect(hiderOf(secrets)("it is first-and-second.")).toBe("it is [redacted].");
  });

  it.each([
    ["ςς İİ secret-1", "secret-1"],
    ["ςς İİ STRASSE-1", "straße-1"],
    ["ςς İİ i\u0307stanbul-1", "İstanbul-1"],
    ["ςς İİ istanbul-1", "İstanbul-1"],
    ["ςς İİ οδος-1", "ΟΔΟΣ-1"],
  ])("is hidden if upper and lower case differ in length: %s", (text, secret) => {
    expect(hiderOf([secret])(`${text}.`)).toBe("ςς İİ [redacted].");
  });

  it.each([
    ['a"b-cde', 'a"b\\u002dcde'],
    ["a/quiet", "a/\\quiet"],
    ["50%-off", "50%%2Doff"],
  ])("is hidden among invalid escapes: %s as %s", (secret, text) => {
    expect(hiderOf([secret])(`(${text})`)).toBe("([redacted])");
  });

  it("is hidden as bytes below 16 in hex", () => {
    expect(hiderOf(["tab\there"])(`(${Buffer.from("tab\there").toString("hex")})`)).toBe("([redacted])");
  });

  it.each([
    ["half a character", "half \ud83d of one"],
    ["a whole certificate", "-----BEGIN ".repeat(50_000)],
  ])("may be %s", (_, secret) => {
    expect(hiderOf([secret])(`It is ${secret}.`)).toBe("It is [redacted].");
  });

  it.each([
    ["it", "it fits it", "it fits it"],
    ["secret", "a secretary", "a [redacted]ary"],
    ["test", "the latest tests of Test and test", "the latest tests of [redacted] and [redacted]"],
    ["chats", "chats, chatstarter", "[redacted], chatstarter"],
  ])("leaves words unchanged that contain a short one: %s", (secret, text, shown) => {
    expect(hiderOf([secret])(text)).toBe(shown);
  });

  it.each([
    ["aaaa", "YWFhY", "YWFhY"],
    ["chats", "Y2hhdH", "[redacted]"],
  ])("is hidden in Base64 if at least six letters are certain: %s as %s", (secret, text, shown) => {
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

describe("hideAndCut", () => {
  const secret = "horse-battery-staple/".repeat(10);
  rememberSecret(secret);

  it("cuts a longer text after hiding its secrets", () => {
    expect(hideAndCut("abcdefg", 7)).toBe("abcdefg");
    expect(hideAndCut("abcdefg", 6)).toBe("abcdef");
    expect(hideAndCut(`${secret}abc`, 12)).toBe("[redacted]ab");
    expect(hideAndCut(`${secret}abc`, secret.length + 3)).toBe("[redacted]abc");
  });

  it("shows a short text whole, even if the placeholder for its secret is longer", () => {
    rememberSecret("hush");

    expect(hideAndCut("hush", 4)).toBe("[redacted]");
    expect(hideAndCut("hush!", 4)).toBe("[red");
  });

  it("shows nothing of a very long text whose cut may split a secret", () => {
    expect(hideAndCut(secret.repeat(100), 100)).toBe("");
  });
});

describe("the keys of AWS", () => {
  it("are hidden from 16 letters on: shorter ones belong to a local stack", () => {
    rememberAwsKeys(undefined, "AKIA-0123456-789", "local-key-12345");

    expect(hideSecrets("AKIA-0123456-789 local-key-12345")).toBe("[redacted] local-key-12345");
  });
});

describe("more secrets than the limit of 5,000", () => {
  const secrets = Array.from({ length: 5_002 }, (_, index) => `secret-${String(index).padStart(4, "0")}`);
  const [oldest = "", second = "", third = ""] = secrets;

  it("are all kept up to 5,000", () => {
    expect(hiderOf(secrets.slice(0, 5_000))(oldest)).toBe("[redacted]");
  });

  it("are forgotten, the oldest first, whether a text was searched or not", () => {
    expect(hiderOf(secrets.slice(0, 5_001))(`${oldest} ${second}`)).toBe(`${oldest} [redacted]`);

    for (const secret of secrets.slice(0, 5_000)) rememberSecret(secret);
    expect(hideSecrets(`${oldest} ${second} ${third}`)).toBe("[redacted] [redacted] [redacted]");
    for (const secret of secrets.slice(5_000)) rememberSecret(secret);
    rememberSecret(secrets.at(-1) ?? "");
    expect(hideSecrets(`${oldest} ${second} ${third}`)).toBe(`${oldest} ${second} [redacted]`);
  });
});
