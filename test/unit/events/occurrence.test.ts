import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  nameOccurrence,
  type OccurrenceMemory,
  repetitionKey,
  retryWindowMs,
} from "../../../lib/events/occurrence.ts";
import { runs } from "../../helpers/property-runs.ts";

const block = { key: "app|user_blocked|ann|bob", canRecur: true };

function createMemory() {
  const times = new Map<string, number>();
  const memory: OccurrenceMemory = {
    read: async (names) => names.map((name) => times.get(name)),
    claim: async (name, receivedAt) => {
      const known = times.get(name);
      if (known === undefined) times.set(name, receivedAt);
      return known ?? receivedAt;
    },
  };
  return { times, memory };
}

async function namesOf(receiptTimes: readonly number[]): Promise<string[]> {
  const { memory } = createMemory();
  const names: string[] = [];
  for (const receivedAt of receiptTimes) names.push(await nameOccurrence(block, receivedAt, memory));
  return names;
}

/** When one occurrence's deliveries are received: the first and up to two retries, counted from the first. */
const deliveries = fc
  .array(fc.integer({ min: 0, max: 44_000 }), { maxLength: 2 })
  .map((retries) => [0, ...retries.toSorted((one, other) => one - other)]);

/** Some equal occurrences: deliveries of each, and the gaps between them. */
function facts(leastGapMs: number) {
  const fact = fc.record({ deliveries, gapMs: fc.integer({ min: leastGapMs, max: leastGapMs + 400_000 }) });
  return fc
    .tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.array(fact, { minLength: 1, maxLength: 6 }))
    .map(([startMs, list]) => {
      let at = startMs;
      return list.flatMap(({ deliveries: moments, gapMs }, number) => {
        at += gapMs;
        return moments.map((moment) => ({ number, receivedAt: at + moment }));
      });
    });
}

async function expectOneNameEach(handled: readonly { number: number; receivedAt: number }[]) {
  const names = await namesOf(handled.map(({ receivedAt }) => receivedAt));

  for (const [index, { number }] of handled.entries()) {
    for (const [otherIndex, other] of handled.entries()) {
      expect(names[index] === names[otherIndex]).toBe(number === other.number);
    }
  }
}

describe("nameOccurrence", () => {
  it("returns the key unchanged, without using the memory, if the key names one occurrence only", async () => {
    const { times, memory } = createMemory();

    const name = await nameOccurrence({ key: "app|message_sent|1", canRecur: false }, 5, memory);

    expect(name).toBe("app|message_sent|1");
    expect(times.size).toBe(0);
  });

  it("treats two deliveries as one occurrence up to the retry window, and as two beyond it", async () => {
    const near = await namesOf([1000, 1000 + retryWindowMs]);
    const far = await namesOf([1000, 1001 + retryWindowMs]);

    expect(near[1]).toBe(near[0]);
    expect(far[1]).not.toBe(far[0]);
  });

  it("gives every delivery its occurrence's name, for any sequence of occurrences and retries", async () => {
    await fc.assert(
      fc.asyncProperty(facts(retryWindowMs + 1), (list) => {
        return expectOneNameEach(list.toSorted((one, other) => one.receivedAt - other.receivedAt));
      }),
      runs(100),
    );
  });

  it("returns the same names for any order and number of handlings", async () => {
    const shuffled = facts(2 * retryWindowMs).chain((list) =>
      fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length }),
    );

    await fc.assert(fc.asyncProperty(shuffled, expectOneNameEach), runs(100));
  });

  it("assigns a delivery that is handled late to the nearer of two occurrences", async () => {
    const [first, second, nearSecond, nearFirst] = await namesOf([0, 60_000, 45_000, 12_000]);

    expect(nearSecond).toBe(second);
    expect(nearFirst).toBe(first);
  });

  it("uses the time that another process claimed meanwhile", async () => {
    const { memory } = createMemory();
    const late = { ...memory, read: async () => [undefined, undefined, undefined] };

    const first = await nameOccurrence(block, 1000, memory);
    const second = await nameOccurrence(block, 2000, late);

    expect(second).toBe(first);
  });
});

describe("repetitionKey", () => {
  it("lets the queue drop a repeated occurrence whose key is unique", () => {
    const sent = { key: "app|message_sent|1", canRecur: false };

    expect(repetitionKey(sent, 1000)).toBe(repetitionKey(sent, 200_000));
  });

  it("lets the queue drop only the same delivery if the key can recur", () => {
    expect(repetitionKey(block, 1000)).toBe(repetitionKey(block, 1000));
    expect(repetitionKey(block, 1000)).not.toBe(repetitionKey(block, 1001));
  });
});
