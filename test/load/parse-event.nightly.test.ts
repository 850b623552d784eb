import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../lib/events/catalogue.ts";
import { parseEvent } from "../../lib/events/parse-event.ts";
import { events } from "../../local/testing/events/events.ts";
import { pathsOf, withField } from "../helpers/events/change-field.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";

const seed = 20261120;
const randomBodies = 100_000;

describe("parseEvent", { timeout: 600_000 }, () => {
  it(`survives ${randomBodies} random bodies`, () => {
    const trigger = fc.constantFrom(...Object.keys(catalogue), "novelty", "__proto__", "constructor");
    const body = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 2, arbitrary: fc.record({ trigger, data: fc.jsonValue(), appId: fc.jsonValue() }) },
      { weight: 2, arbitrary: mutatedEvent() },
    );

    fc.assert(
      fc.property(body, (value) => {
        const result = parseEvent(value);
        expect(result.ok || result.problems.length > 0, "refused without a reason").toBe(true);
      }),
      { seed, numRuns: randomBodies },
    );
  });

  it("survives a map with very many names", () => {
    const uids = Array.from({ length: 200_000 }, (_, index) => `user-${index}`);

    expect(parseEvent(events.userBlocked({ uids }))).toMatchObject({ ok: true });
  });
});

function mutatedEvent() {
  const bodies = fc.constantFrom(...loadFixtures().map(([, body]) => body));
  return fc.tuple(bodies, fc.nat(), fc.jsonValue()).map(([body, choice, value]) => {
    const paths = pathsOf(body);
    return withField(body, paths[choice % paths.length] ?? [], value);
  });
}
