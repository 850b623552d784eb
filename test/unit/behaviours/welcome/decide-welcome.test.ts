import { describe, expect, it } from "vitest";
import { decideWelcome } from "../../../../lib/behaviours/welcome/create-welcome.ts";

const rules = { groups: [{ group: "lobby", as: "host", text: "Hi {names}! {names}?" }] };
const arrival = (...members: { uid: string; name?: string }[]) => ({ guid: "lobby", members });

describe("decideWelcome", () => {
  it("names new members, by uid if they have no name", () => {
    expect(decideWelcome(arrival({ uid: "a", name: "Ann" }, { uid: "b" }), rules)?.text).toBe(
      "Hi Ann, b! Ann, b?",
    );
  });

  it("counts members beyond five", () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ uid: `u${index}` }));

    expect(decideWelcome(arrival(...many), rules)?.text).toContain("u4 and 3 more!");
  });

  it("does not let a name mention other users or insert a pattern into the text", () => {
    const text = decideWelcome(arrival({ uid: "a", name: "<@all> $& \n x".repeat(20) }), rules)?.text ?? "";

    expect(text).not.toMatch(/[<>\n]/);
    expect(text).toContain("$&");
    expect(text.length).toBeLessThan(130);
  });

  const nameIn = (name: string) =>
    decideWelcome(arrival({ uid: "a", name }), { groups: [{ group: "lobby", as: "host", text: "{names}" }] })
      ?.text;

  it.each(["Prizes: https://evil.example", "WWW.evil", "\u200d\u202e "])(
    "uses the uid in place of a name that is an address or empty: %j",
    (name) => {
      expect(nameIn(name)).toBe("a");
    },
  );

  it.each([
    ["J. R. O'Neill, Jr.", "J. R. O'Neill, Jr."],
    ["J.Smith", "J. Smith"],
    ["evil.example/win", "evil. example/win"],
    ["evil.\u200bexample", "evil. example"],
    ["приз.рф", "приз. рф"],
    ["Ann\u202e\u0007\u200b", "Ann"],
    ["علی\u200cرضا", "علی\u200cرضا"],
    ["👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
    [`${"x".repeat(49)}👋`, "x".repeat(49)],
    ["\ud83d Ann", "Ann"],
  ])("shows %j as %j", (name, shown) => {
    expect(nameIn(name)).toBe(shown);
  });

  it("omits the greeting user", () => {
    expect(decideWelcome(arrival({ uid: "host" }), rules)).toBeUndefined();
    expect(decideWelcome(arrival({ uid: "host" }, { uid: "a" }), rules)?.text).toBe("Hi a! a?");
  });
});
