import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelayMsAfter } from "../../../../lib/queue/lanes/retry-delay.ts";
import { runs } from "../../../helpers/property-runs.ts";

describe("retryDelayMsAfter", () => {
  it("grows from 5 s to 12 minutes", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => retryDelayMsAfter(failures, 0) / 1000);

    expect(waits).toEqual([5, 15, 45, 135, 405, 720, 720, 720]);
  });

  it("adds up to a quarter at random, and stays within 15 minutes", () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (failures, random) => {
          const wait = retryDelayMsAfter(failures, random);

          expect(wait).toBeGreaterThanOrEqual(retryDelayMsAfter(failures, 0));
          expect(wait).toBeLessThanOrEqual(retryDelayMsAfter(failures, 0) * 1.25);
          expect(wait).toBeLessThanOrEqual(900_000);
        },
      ),
      runs(),
    );
    expect(retryDelayMsAfter(1, 0.99)).toBeGreaterThan(retryDelayMsAfter(1, 0));
  });
});
