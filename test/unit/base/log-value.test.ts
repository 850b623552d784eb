import { describe, expect, it } from "vitest";
import { toLogEntries } from "../../../lib/base/log-value.ts";

const shown = (fields: object) => Object.fromEntries(toLogEntries(fields));

/** A list that leaves this many characters of a line, 24,000 in all. */
const listLeaving = (left: number) => [
  ...Array.from({ length: 5 }, () => "x".repeat(4_000)),
  "y".repeat(24_000 - 20_000 - "list".length - left),
];

describe("the fields of a log line", () => {
  it("are shown as they are where JSON has a word for them", () => {
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

  it("have a name for what JSON has none for", () => {
    const buffer = new Uint16Array(3);
    const list = [undefined, () => 1, Symbol("s"), 1n];

    expect(shown({ big: 7n, endless: Number.POSITIVE_INFINITY, bytes: buffer, list })).toStrictEqual({
      big: "7",
      endless: "Infinity",
      bytes: "[6 bytes]",
      list: [null, "() => 1", "Symbol(s)", "1"],
    });
  });

  it("leave out what JSON leaves out", () => {
    const none = { missing: undefined, call: () => 1, symbol: Symbol("s") };

    expect(toLogEntries({ ...none, in: none, kept: 1 })).toStrictEqual([
      ["in", {}],
      ["kept", 1],
    ]);
  });

  it("describe an error wherever it stands", () => {
    expect(shown({ error: new Error("I love you"), list: [new TypeError("I love you")] })).toStrictEqual({
      error: expect.stringMatching(/^Error at \S+$/),
      list: [expect.stringMatching(/^TypeError at \S+$/)],
    });
  });

  it.each([
    ["privateKey", "[redacted]"],
    ["private_key", "[redacted]"],
    ["idToken", "[redacted]"],
    ["text", "[redacted]"],
    ["Content", "[redacted]"],
    ["context", "hush"],
    ["bodyType", "hush"],
  ])("show of %s: %s", (name, value) => {
    expect(shown({ [name]: "hush" })).toStrictEqual({ [name]: value });
  });

  it("show a number that is named as a text, and nothing else of that name", () => {
    expect(shown({ text: 3, body: { deep: 1 }, caption: null })).toStrictEqual({
      text: 3,
      body: "[redacted]",
      caption: "[redacted]",
    });
  });

  it("say that they cannot be read", () => {
    const hiding = new Proxy({}, { ownKeys: () => expect.fail("unreadable") });

    expect(shown({ hiding, kept: 1 })).toStrictEqual({ hiding: "[unreadable]", kept: 1 });
    expect(toLogEntries(hiding)).toStrictEqual([["fields", "[unreadable]"]]);
  });
});

describe("the size of a log line", () => {
  it("has 4,000 characters for a text and 100 for a name", () => {
    const name = "n".repeat(100);

    expect(shown({ [name]: "x".repeat(4_000), [`${name}no`]: "x".repeat(4_001) })).toStrictEqual({
      [name]: "x".repeat(4_000),
      [`${name} [2 more]`]: `${"x".repeat(4_000)} [1 more]`,
    });
  });

  it.each([100, 101])("has 100 of %i items and of as many fields", (length) => {
    const numbers = Array.from({ length }, (_, index) => index);
    const more = length - 100;

    expect(shown({ list: numbers, object: { ...numbers } })).toStrictEqual({
      list: more > 0 ? [...numbers.slice(0, 100), `[${more} more]`] : numbers,
      object: { ...numbers.slice(0, 100), ...(more > 0 && { more }) },
    });
  });

  it("has six objects one in another", () => {
    const nest = (depth: number): object => (depth === 0 ? { end: 1 } : { in: nest(depth - 1) });

    expect(JSON.stringify(shown(nest(6)))).toBe('{"in":{"in":{"in":{"in":{"in":{"in":{"end":1}}}}}}}');
    expect(JSON.stringify(shown(nest(7)))).toBe('{"in":{"in":{"in":{"in":{"in":{"in":{"in":"[more]"}}}}}}}');
  });

  it("has an object twice, but not in itself", () => {
    const twice: Record<string, unknown> = { a: 1 };
    const itself: Record<string, unknown> = { twice, again: twice };
    itself.itself = itself;

    expect(shown({ itself })).toStrictEqual({
      itself: { twice: { a: 1 }, again: { a: 1 }, itself: "[circular]" },
    });
  });

  it("has 24,000 characters in all, and then only what takes no room", () => {
    const list = listLeaving(0);
    const rest = ["", "x", "xy", {}, 7];

    expect(shown({ list, next: 1 })).toStrictEqual({ list });
    expect(shown({ list: [...list, ...rest] })).toStrictEqual({
      list: [...list, "", "[1 more]", "[2 more]", "[more]", 7],
    });
  });

  it("is filled up to its last character", () => {
    const list = listLeaving(5);

    expect(shown({ list, a: "bcdef" })).toStrictEqual({ list, a: "bcde [1 more]" });
    expect(shown({ list, a: "bcde", b: 1 })).toStrictEqual({ list, a: "bcde" });
  });
});
