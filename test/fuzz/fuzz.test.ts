import { expect, it } from "vitest";
import { runFuzz } from "./run-fuzz.ts";

const seed = 20261120;

it(`bodies that nobody thought of are answered as documented, and cost nobody a second attempt (seed ${seed})`, async () => {
  const { breaches, answers, handled, quarantined } = await runFuzz(seed, 200);

  expect(breaches.map(({ index, what }) => `${index} was ${what}`)).toEqual([]);
  expect(handled).toBeGreaterThan(60);
  expect(quarantined).toBeGreaterThan(20);
  expect(answers.get(200)).toBeGreaterThan(160);
});
