import { describe, expect, it } from "vitest";
import { containsWord } from "../../../../lib/events/conditions/contains-word.ts";

describe("containsWord", () => {
  it.each([
    ["What's the price?", "price"],
    ["PRICE", "price"],
    ["Der Preis: 3€", "preis"],
    ["сколько стоит ЦЕНА", "цена"],
    ["please call me back today", "call me back"],
    ["这个价格是多少", "价格"],
    ["c++ or rust", "c++"],
  ])("finds in “%s” the word “%s”", (text, word) => {
    expect(containsWord(text, word)).toBe(true);
  });

  it.each([
    ["priceless", "price"],
    ["the prices", "price"],
    ["fußball", "ball"],
    ["", "price"],
  ])("finds not in “%s” the word “%s”", (text, word) => {
    expect(containsWord(text, word)).toBe(false);
  });

  it.each([..."\\^$.*+?()[]{}|/-,:;<=>!#%&~'\"@_ "])("takes %s in a word as itself", (sign) => {
    const word = `x${sign}y`;

    expect(["xy", "xxy", "xay", word].map((text) => containsWord(text, word))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});
