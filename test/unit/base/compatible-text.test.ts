import { describe, expect, it } from "vitest";
import { toCompatibleText } from "../../../lib/base/compatible-text.ts";

describe("toCompatibleText", () => {
  it("makes compatible characters one, and letters with their marks", () => {
    expect(toCompatibleText("ｆｕｌｌ ﬁ e\u0301 ｶ\uff9e")).toBe("full fi \u00e9 ガ");
  });

  it("keeps 30 marks of a letter, in their order", () => {
    const marks = "\u0323".repeat(15) + "\u0301".repeat(15);

    expect(toCompatibleText(`x${marks}\u0323 x`)).toBe(`x${marks} x`);
  });

  it.each([
    ["marks", "a", "\u0301\u0323"],
    ["halfwidth sound marks among others", "ｶ", "\uff9e\u0323"],
  ])("has no more than 30 to sort, however many %s stand on a letter", (_name, letter, marks) => {
    const text = toCompatibleText(letter + marks.repeat(200_000) + letter);

    expect(text.length).toBeLessThanOrEqual(33);
  });
});
