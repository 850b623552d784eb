import { describe, expect, it } from "vitest";
import { decideWelcome } from "../../../../lib/behaviours/welcome/create-welcome.ts";

const rules = { groups: [{ group: "lobby", as: "host", text: "Hi {names}! {names}?" }] };
const arrival = (...members: { uid: string; name?: string }[]) => ({ guid: "lobby", members });

describe("decideWelcome", () => {
  it("names those who came, by uid where there is no name", () => {
    expect(decideWelcome(arrival({ uid: "a", name: "Ann" }, { uid: "b" }), rules)?.text).toBe(
      "Hi Ann, b! Ann, b?",
    );
  });

  it("counts those beyond five", () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ uid: `u${index}` }));

    expect(decideWelcome(arrival(...many), rules)?.text).toContain("u4 and 3 more!");
  });

  it("lets no name mention others or replace the text by a pattern of its own", () => {
    const text = decideWelcome(arrival({ uid: "a", name: "<@all> $& \n x".repeat(20) }), rules)?.text ?? "";

    expect(text).not.toMatch(/[<>\n]/);
    expect(text).toContain("$&");
    expect(text.length).toBeLessThan(130);
  });

  it("leaves out the one who greets", () => {
    expect(decideWelcome(arrival({ uid: "host" }), rules)).toBeUndefined();
    expect(decideWelcome(arrival({ uid: "host" }, { uid: "a" }), rules)?.text).toBe("Hi a! a?");
  });
});
