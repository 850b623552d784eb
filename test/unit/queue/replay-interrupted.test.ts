import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import { runs } from "../../helpers/property-runs.ts";
import { createOperatorWorld, type Fate, ids, minute } from "./operator-world.ts";

const anyFate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 12, arbitrary: fc.constant("answered" as const) },
  { weight: 2, arbitrary: fc.constantFrom("answer lost" as const, "not arrived" as const) },
  { weight: 1, arbitrary: fc.constantFrom("dies before" as const, "dies after" as const) },
);

/** The lanes of the dead-lettered events, in order; some are long. */
const anyBurials = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 30, size: "max" });

const anyRun = fc.record({
  fates: fc.array(anyFate, { maxLength: 60, size: "max" }),
  // Retried within the queue's deduplication interval, or after it.
  pauseMs: fc.constantFrom(0, 1_000, 4 * minute, 20 * minute),
});

/** Dead-letters events in these lanes, one after the other. */
async function buryIn(world: ReturnType<typeof createOperatorWorld>, lanes: readonly string[]) {
  const receivedAt = world.now();
  for (const [number, group] of lanes.entries()) {
    const [messageId, messageBody] = [`m-${number}`, `${group} ${number}`];
    await world.bury({ messageId, messageBody, group, receivedAt: receivedAt + number });
  }
}

/** Dead-letters events, plays runs one after the other, then one without faults. */
async function play(
  burials: readonly string[],
  runs: readonly { readonly fates: readonly Fate[]; readonly pauseMs: number }[],
) {
  const world = createOperatorWorld();
  await buryIn(world, burials);
  for (const { fates, pauseMs } of runs) {
    const left = fates.values();
    const { services, died } = world.createOperator(() => left.next().value ?? "answered");
    // A run that survives may fail as well, and reports it.
    await Promise.race([deadLetters.replay({}, services).catch(() => undefined), died]);
    world.pass(pauseMs);
  }
  world.pass(3 * minute);
  const last = await world.replay();
  return { world, last };
}

function firstOfEach(bodies: readonly string[]): readonly string[] {
  return [...new Set(bodies)];
}

function ofLane(bodies: readonly string[], lane: string): readonly string[] {
  return bodies.filter((body) => body.startsWith(lane));
}

describe("a replay that is interrupted and run again", () => {
  it("loses nothing and keeps the order, wherever and however often it crashes", async () => {
    await fc.assert(
      fc.asyncProperty(anyBurials, fc.array(anyRun, { maxLength: 4 }), async (burials, runs) => {
        const { world, last } = await play(burials, runs);

        const buried = burials.map((lane, number) => `${lane} ${number}`);
        const back = firstOfEach(world.bodies("events"));
        expect(last.failure).toBeUndefined();
        expect(world.inQueue("deadLetters")).toEqual([]);
        for (const lane of ["a", "b", "c"]) expect(ofLane(back, lane)).toEqual(ofLane(buried, lane));
      }),
      runs(15),
    );
  });

  it("sends nothing twice when it is run again soon", async () => {
    const soon = anyRun.map((run) => ({ ...run, pauseMs: 0 }));
    await fc.assert(
      fc.asyncProperty(anyBurials, soon, async (burials, run) => {
        const { world } = await play(burials, [run]);

        expect(world.bodies("events").toSorted()).toEqual(
          burials.map((lane, number) => `${lane} ${number}`).toSorted(),
        );
      }),
      runs(15),
    );
  });

  it("keeps each event in at least one queue at any time", async () => {
    await fc.assert(
      fc.asyncProperty(anyBurials, anyRun, async (burials, { fates }) => {
        const world = createOperatorWorld();
        await buryIn(world, burials);
        const left = fates.values();
        const counts = new Set<number>();
        const { services, died } = world.createOperator(() => {
          counts.add(new Set([...world.bodies("events"), ...world.bodies("deadLetters")]).size);
          return left.next().value ?? "answered";
        });

        await Promise.race([deadLetters.replay({}, services).catch(() => undefined), died]);

        expect([...counts]).toEqual([burials.length]);
      }),
      runs(15),
    );
  });
});

it("two concurrent replays lose nothing and send nothing twice", async () => {
  const world = createOperatorWorld();
  const bodies = ids(40);
  await world.buryAll(bodies, (id) => ({ group: `lane-${bodies.indexOf(id) % 4}` }));

  const reports = await Promise.all([world.replay(), world.replay()]);

  expect(reports[0].replayed + reports[1].replayed).toBe(40);
  expect(Math.min(...reports.map(({ replayed }) => replayed))).toBeGreaterThan(0);
  expect(world.bodies("events").toSorted()).toEqual(bodies.toSorted());
});
