import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { createLedger } from "../../../../lib/effects/ledger.ts";
import { createStates } from "../../../../lib/effects/state/create-states.ts";
import { defineState } from "../../../../lib/effects/state/define-state.ts";
import { runs } from "../../../helpers/property-runs.ts";
import { createTestEffects } from "../../../helpers/test-effects.ts";
import { anyFate, createHostileWorld, type Fate } from "../hostile-world.ts";

const counter = defineState("counter", z.number(), { per: "app", keepFor: "1d" });
/** An owner that handles one occurrence until it is done. */
const anyOwner = fc.record({
  fact: fc.constantFrom("fact-1", "fact-2", "fact-3"),
  startMs: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 100_000 })),
  pauseMs: fc.integer({ min: 0, max: 20_000 }),
});

type Owner = typeof anyOwner extends fc.Arbitrary<infer T> ? T : never;

/** Plays a run to its end; returns each owner's outcome and the items. */
async function play(owners: readonly Owner[], fates: readonly Fate[]) {
  const world = createHostileWorld(fates, 0);
  let tokens = 0;
  const token = () => String(++tokens);

  const attempt = async ({ fact }: Owner) => {
    const process = world.createProcess(0);
    const { now } = process;
    const table = world.tableOf(process);
    const { perform } = createTestEffects({ table, appId: "app", now, key: fact, receivedAt: 0, token });
    const sleep = (ms: number) => world.time.sleep(ms);
    const state = createStates({
      table,
      ledger: createLedger({ table, now }),
      appId: "app",
      perform,
      isShadow: false,
      now,
      token,
      random: () => 0.5,
      sleep,
    });
    const counted = state(counter).update((before = 0) => before + 1);

    return world.outcomeOf(
      process,
      counted.then(({ after = 0 }) => after),
    );
  };
  const told = owners.map(async (owner) => {
    const after = await world.handle({ skewMs: 0, ...owner }, () => attempt(owner));
    return { fact: owner.fact, after };
  });
  await world.time.run();
  return { told: await Promise.all(told), items: world.items() };
}

it("a counter counts each of several occurrences once, and all attempts at one get the same value", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyOwner, { minLength: 1, maxLength: 5 }),
      fc.array(anyFate, { maxLength: 30 }),
      async (owners, fates) => {
        const { told, items } = await play(owners, fates);

        const facts = new Set(owners.map(({ fact }) => fact));
        expect(items.find(({ state }) => state === "counter")).toMatchObject({ value: String(facts.size) });
        const answers = new Set(told.map(({ fact, after }) => `${fact} ${after}`));
        expect(answers.size).toBe(facts.size);
        expect(new Set(told.map(({ after }) => after)).size).toBe(facts.size);
      },
    ),
    runs(),
  );
}, 600_000);
