import { describe, expect, it } from "vitest";
import { roundedIn, withField } from "../../../local/console/page/parts/json/field-types.ts";
import { pack, toCommand, unpack } from "../../../local/console/page/views/try/share.ts";

const body = JSON.parse('{"a":{"__proto__":{"c":null}},"z":0,"list":[1,2]}');

it("withField changes, adds and removes one value, and keeps the order and all others", () => {
  expect(JSON.stringify(withField(body, "z", "ä"))).toBe(
    '{"a":{"__proto__":{"c":null}},"z":"ä","list":[1,2]}',
  );
  expect(JSON.stringify(withField(body.a, "__proto__", { c: "" }))).toBe('{"__proto__":{"c":""}}');
  expect(withField(body.list, "2", null)).toEqual([1, 2, null]);
  expect(withField(body.list, "0", undefined)).toEqual([2]);
  expect(withField(body, "z", undefined)).not.toHaveProperty("z");
});

describe("how a try is shared", () => {
  it("packs any text for an address, and limits what it unpacks", async () => {
    const text = `{"text":"👋 ${"Grüezi ".repeat(500)}"}`;
    const packed = await pack(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(200);
    expect(await unpack(packed)).toBe(text);
    await expect(unpack("nonsense!")).rejects.toThrow();
    await expect(unpack(await pack(" ".repeat(13_000_000)))).rejects.toThrow(/larger than a delivery/);
  });

  it("writes differences from the sample as a command, and reports unsupported ones", () => {
    const before = { appId: "a", data: { text: "x", id: "1", list: [1, 2] } };
    const after = { appId: "b", data: { text: "it's", list: [1, 3], more: { a: 1 } } };
    const of = { trigger: "message_sent", sample: "message-sent", appId: "b" };
    expect(toCommand(of, before, after)).toBe(
      [
        "npx cometchat-functions trigger message_sent --local --app 'b' --sample message-sent",
        `--set 'data.text=it'\\''s'`,
        "--set 'data.list.1=3'",
        `--set 'data.more={"a":1}'\n# The command cannot leave out: data.id`,
      ].join(" \\\n  "),
    );
  });
});

describe("roundedIn", () => {
  it.each([
    ['{"id":12345678901234567890}', "12345678901234567890"],
    ["[-9007199254740993]", "-9007199254740993"],
    [`[${"9".repeat(400)}]`, "9".repeat(400)],
    ['{"id":"12345678901234567890","a":9007199254740992,"b":1.5e300,"\\"1":-0}', undefined],
    ['{"half":', undefined],
  ])("finds in %s numbers that would lose digits", (text, expected) => {
    expect(roundedIn(text)).toBe(expected);
  });
});
