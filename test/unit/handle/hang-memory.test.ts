import { expect, it } from "vitest";
import { createHangMemory } from "../../../lib/handle/hang-memory.ts";

it("shortens no app's runs of a trigger because it hung in another app", () => {
  const hangs = createHangMemory(() => 1_000_000_000_000);
  hangs.noteHung("app-1", "assist");

  expect(hangs.limitOf("app-1", "assist")).toEqual({ limitMs: 10_000, isGuess: false });
  expect(hangs.limitOf("app-2", "assist")).toBeUndefined();
});
