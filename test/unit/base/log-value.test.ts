import { describe, expect, it } from "vitest";
import { toLogEntries } from "../../../lib/base/log-value.ts";

const shown = (fields: object) => Object.fromEntries(toLogEntries(fields));

/** A list that leaves this many of the 24,000 characters of a line. */
const listLeaving = (left: number) => [
  ...Array.from({ length: 5 }, () => "x".repeat(4_000)),
  "y".repeat(24_000 - 20_000 - "list".length - left),
];

describe("the fields of a log line", () => {
  it("are shown unchanged if JSON can represent them", () => {
    const fields = {
      yes: true,
      no: false,
      none: null,
      zero: 0,
      half: 0.5,
      empty: "",
      in: { list: [1, "a"] },
    };

    expect(shown(fields)).toStrictEqual(fields);
  });

  it("are named if JSON cannot represent them", () => {
    const buffer = new Uint16Array(3);
    const list = [undefined, () => 1, Symbol("s"), 1n];

    expect(shown({ big: 7n, endless: Number.POSITIVE_INFINITY, bytes: buffer, list })).toStrictEqual({
      big: "7",
      endless: "Infinity",
      bytes: "[6 bytes]",
      list: [null, "() => 1", "Symbol(s)", "1"],
    });
  });

  it("omit what JSON omits", () => {
    const none = { missing: undefined, call: () => 1, symbol: Symbol("s") };

    expect(toLogEntries({ ...none, in: none, kept: 1 })).toStrictEqual([
      ["in", {}],
      ["kept", 1],
    ]);
  });

  it("describe an error at any depth", () => {
    expect(shown({ error: new Error("I love you"), list: [new TypeError("I love you")] })).toStrictEqual({
      error: expect.stringMatching(/^Error at \S+$/),
      list: [expect.stringMatching(/^TypeError at \S+$/)],
    });
  });

  it.each([
    ...["password", "webhookPassword", "apiKey", "api_key", "authorization", "Cookie", "sessionToken"].map(
      (name) => [name, "[redacted]"],
    ),
    ["client_secret", "[redacted]"],
    ["privateKey", "[redacted]"],
    ["private_key", "[redacted]"],
    ["idToken", "[redacted]"],
    ["text", "[redacted]"],
    ["Content", "[redacted]"],
    ["context", "hush"],
    ["bodyType", "hush"],
    ...["deliveryKey", "secretId", "tokenCount", "signatureMs"].map((name) => [name, "hush"]),
  ])("show of %s: %s", (name, value) => {
    expect(shown({ [name]: "hush" })).toStrictEqual({ [name]: value });
  });

  it("show a number in a field named as a text, and no other value there", () => {
    expect(shown({ text: 3, body: { deep: 1 }, caption: null })).toStrictEqual({
      text: 3,
      body: "[redacted]",
      caption: "[redacted]",
    });
  });

  it("are reported as unreadable", () => {
    const hiding = new Proxy({}, { ownKeys: () => expect.fail("unreadable") });

    expect(shown({ hiding, kept: 1 })).toStrictEqual({ hiding: "[unreadable]", kept: 1 });
    expect(toLogEntries(hiding)).toStrictEqual([["fields", "[unreadable]"]]);
  });
});

describe("the size of a log line", () => {
  it("is limited to 4,000 characters for a text and 100 for a name", () => {
    const name = "n".repeat(100);

    expect(shown({ [name]: "x".repeat(4_000), [`${name}no`]: "x".repeat(4_001) })).toStrictEqual({
      [name]: "x".repeat(4_000),
      [`${name} [2 more]`]: `${"x".repeat(4_000)} [1 more]`,
    });
  });

  it.each([100, 101])("is limited to 100 of %i items and as many fields", (length) => {
    const numbers = Array.from({ length }, (_, index) => index);
    const more = length - 100;

    expect(shown({ list: numbers, object: { ...numbers } })).toStrictEqual({
      list: more > 0 ? [...numbers.slice(0, 100), `[${more} more]`] : numbers,
      object: { ...numbers.slice(0, 100), ...(more > 0 && { more }) },
    });
  });

  it("is limited to six nested objects", () => {
    const nest = (depth: number): object => (depth === 0 ? { end: 1 } : { in: nest(depth - 1) });

    expect(JSON.stringify(shown(nest(6)))).toBe('{"in":{"in":{"in":{"in":{"in":{"in":{"end":1}}}}}}}');
    expect(JSON.stringify(shown(nest(7)))).toBe('{"in":{"in":{"in":{"in":{"in":{"in":{"in":"[more]"}}}}}}}');
  });

  it("includes an object twice, but not inside itself", () => {
    const twice: Record<string, unknown> = { a: 1 };
    const itself: Record<string, unknown> = { twice, again: twice };
    itself.itself = itself;

    expect(shown({ itself })).toStrictEqual({
      itself: { twice: { a: 1 }, again: { a: 1 }, itself: "[circular]" },
    });
  });

  it("is limited to 24,000 characters, and then to values that take no space", () => {
    const list = listLeaving(0);
    const rest = ["", "x", "xy", {}, 7];

    expect(shown({ list, next: 1 })).toStrictEqual({ list });
    expect(shown({ list: [...list, ...rest] })).toStrictEqual({
      list: [...list, "", "[1 more]", "[2 more]", "[more]", 7],
    });
  });

  it("is used up to the last character", () => {
    const list = listLeaving(5);

    expect(shown({ list, a: "bcdef" })).toStrictEqual({ list, a: "bcde [1 more]" });
    expect(shown({ list, a: "bcde", b: 1 })).toStrictEqual({ list, a: "bcde" });
  });
});
