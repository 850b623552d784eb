import fc from "fast-check";
import { expect, it } from "vitest";
import { EventEndedError } from "../../../lib/effects/effect-errors.ts";
import { createTestAnswers } from "../../helpers/loop-guard.ts";
import { runs } from "../../helpers/property-runs.ts";
import { createTestEffects, limitsFrom } from "../../helpers/test-effects.ts";
import { anyFate, createHostileWorld, type Fate, type Handler } from "./hostile-world.ts";

interface Owner extends Handler {
  /** Running requests end with the attempt. */
  readonly hasSignal: boolean;
  /** What the handler decides at its first, second … attempt. */
  readonly receivers: readonly ("alice" | "bob")[];
}

const anyOwner: fc.Arbitrary<Owner> = fc.record({
  // Near each other, near other owners' timeouts or lookups, or anywhere.
  startMs: fc.oneof(
    fc.integer({ min: 0, max: 1_000 }),
    fc
      .tuple(fc.constantFrom(30_000, 35_000, 60_000, 90_000), fc.integer({ min: 0, max: 2_000 }))
      .map(([a, b]) => a + b),
    fc.integer({ min: 0, max: 200_000 }),
  ),
  skewMs: fc.integer({ min: -1_000, max: 1_000 }),
  pauseMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 60_000 })),
  hasSignal: fc.boolean(),
  receivers: fc.array(fc.constantFrom("alice", "bob"), { minLength: 1, maxLength: 3 }),
});

/** The event's message. */
const question = {
  id: "77",
  sender: "alice",
  receiver: "support",
  receiverType: "user",
  conversationId: "alice_user_support",
};

const key = "app|fact|trigger";

/** Plays a run to its end; returns what was sent, and each owner's outcome. */
async function play(
  owners: readonly Owner[],
  fates: readonly Fate[],
  { lagMs, by }: { lagMs: number; by: "sendText" | "once" | "answer" },
) {
  const world = createHostileWorld(fates, lagMs);
  let tokens = 0;
  const attempt = async (owner: Owner, count: number) => {
    const process = world.createProcess(owner.skewMs);
    const { now } = process;
    const ending = new AbortController();
    const signal = owner.hasSignal ? ending.signal : undefined;
    const table = world.tableOf(process);
    const effects = createTestEffects({
      table,
      appId: "app",
      now,
      key,
      receivedAt: 0,
      // The conversation may get this one answer.
      answers: createTestAnswers({ table, now, limit: 1, token: () => `version-${++tokens}` }),
      call: world.callOf(process),
      limits: limitsFrom(now, signal, () => ending.signal.aborted),
      token: () => String(++tokens),
    });
    const receiver = owner.receivers[(count - 1) % owner.receivers.length] ?? "alice";
    const message = {
      receiver,
      receiverType: "user",
      text: `to ${receiver}`,
      onBehalfOf: "support",
    } as const;
    const perform = {
      once: () =>
        effects.once("reply", () => world.send(process, "mark", signal), {
          alreadyDone: () => world.look(process, "mark", signal),
        }),
      sendText: () => effects.sendText("reply", message),
      answer: () => effects.answer("reply", message, question),
    };
    const done = perform[by]().then((told) => ("id" in told ? told.id : told.passedOver));
    const outcome = await world.outcomeOf(process, done);
    ending.abort(new EventEndedError());
    return outcome;
  };
  const told = owners.map((owner) => world.handle(owner, (count) => attempt(owner, count)));
  await world.time.run();
  return { sent: world.sent, told: await Promise.all(told), items: world.items() };
}

it("an effect with concurrent attempts happens exactly once, and all attempts get the same result", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyOwner, { minLength: 1, maxLength: 4 }),
      fc.array(anyFate, { maxLength: 30 }),
      fc.record({
        lagMs: fc.constantFrom(0, 1_000, 5_000),
        /** `once` with a look of its own. */
        by: fc.constantFrom("sendText", "once", "answer"),
      }),
      async (owners, fates, world) => {
        const { sent, told, items } = await play(owners, fates, world);

        expect(sent).toHaveLength(1);
        expect(told).toEqual(owners.map(() => sent[0]?.id));
        const [done, page, ...others] = items.toSorted((one) => ("result" in one ? -1 : 1));
        expect(done).toMatchObject({ result: JSON.stringify({ id: sent[0]?.id }) });
        expect(page?.answers ?? []).toHaveLength(world.by === "answer" ? 1 : 0);
        expect(others).toEqual([]);
      },
    ),
    runs(150),
  );
}, 600_000);
