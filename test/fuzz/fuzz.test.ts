import { describe, expect, it } from "vitest";
import { createRandom } from "../../local/testing/world/random.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";
import { mutateDelivery } from "./mutate-delivery.ts";
import { runFuzz } from "./run-fuzz.ts";

const seed = 20261120;
const samples = loadFixtures().map(([, body]) => body);

describe("bodies that nobody thought of", () => {
  it(`are answered as documented, and cost nobody a second attempt (seed ${seed})`, async () => {
    const { breaches, answers, handled, quarantined } = await runFuzz(seed, 200);

    expect(breaches.map(({ index, what }) => `${index} was ${what}`)).toEqual([]);
    expect(handled).toBeGreaterThan(60);
    expect(quarantined).toBeGreaterThan(20);
    expect(answers.get(200)).toBeGreaterThan(160);
  });

  it("are the same for the same seed", () => {
    const make = () => {
      const random = createRandom(seed);
      return Array.from({ length: 50 }, () => mutateDelivery(samples, random).toString("base64"));
    };

    expect(make()).toEqual(make());
  });

  it("are of every kind: readable and not, deep, large, with names that a prototype has", () => {
    const random = createRandom(seed);
    const bodies = Array.from({ length: 600 }, () => mutateDelivery(samples, random));
    const texts = bodies.map((bytes) => bytes.toString("utf8"));

    const kinds = {
      isNoUtf8: texts.filter((text, index) => !Buffer.from(text).equals(bodies[index] ?? Buffer.alloc(0)))
        .length,
      isDeep: texts.filter((text) => text.includes("[".repeat(1_000)) || text.includes('{"a":'.repeat(1_000)))
        .length,
      isLarge: bodies.filter((bytes) => bytes.length > 100_000).length,
      hasPrototype: texts.filter((text) => text.includes('"__proto__":')).length,
      hasLoneSurrogate: texts.filter((text) => text.includes("\\ud800")).length,
      hasName: texts.filter((text) => text.includes('"trigger":')).length,
    };
    expect(Object.values(kinds).filter((times) => times < 3)).toEqual([]);
  });
});
