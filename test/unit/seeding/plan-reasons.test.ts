import { describe, expect, it } from "vitest";
import { planReasons } from "../../../lib/seeding/plan-reasons.ts";

const actions = (...args: Parameters<typeof planReasons>) =>
  planReasons(...args).map(({ action, reason }) => [action, reason.id]);

describe("planReasons", () => {
  it("creates the missing, updates the changed, keeps the equal and leaves the unknown alone", () => {
    const declared = [
      { id: "spam", name: "Spam", description: "Advertising" },
      { id: "harassment", name: "Harassment", description: "new" },
      { id: "violence", name: "Violence" },
    ];
    const existing = [
      { id: "spam", name: "Spam", description: "Advertising" },
      { id: "harassment", name: "Harassment", description: "old" },
      { id: "made-by-hand", name: "Made by hand" },
    ];

    expect(actions(declared, existing)).toEqual([
      ["keep", "spam"],
      ["update", "harassment"],
      ["create", "violence"],
    ]);
  });

  it("updates a changed name", () => {
    expect(actions([{ id: "a", name: "new" }], [{ id: "a", name: "old" }])).toEqual([["update", "a"]]);
  });

  it("takes an absent description in the app for an empty one", () => {
    expect(actions([{ id: "a", name: "n", description: "" }], [{ id: "a", name: "n" }])).toEqual([
      ["keep", "a"],
    ]);
  });

  it("does not touch a description that is not declared", () => {
    expect(actions([{ id: "a", name: "n" }], [{ id: "a", name: "n", description: "x" }])).toEqual([
      ["keep", "a"],
    ]);
  });
});
