import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EffectBusyError, EffectNotClearError, EventEndedError } from "../../../lib/effects/effect-errors.ts";
import { createLedger } from "../../../lib/effects/ledger.ts";
import { createTestAnswers, createTestGuard } from "../../helpers/loop-guard.ts";
import { runs } from "../../helpers/property-runs.ts";
import { createTestEffects } from "../../helpers/test-effects.ts";
import { anyFate, createHostileWorld, type Fate } from "./hostile-world.ts";

/** Somebody who handles the event until it is handled: a delivery, its retries in new processes, or a replay. */
interface Owner {
  readonly startMs: number;
  /** How far its machine's clock is off. */
  readonly skewMs: number;
  /** How long it waits after a failure that does not say how long; a dead process is noticed after 75 s. */
  readonly pauseMs: number;
  /** Requests under way end when the attempt is given up. */
  readonly hasSignal: boolean;
  /** What the handler decides at its first, second … attempt. */
  readonly receivers: readonly ("alice" | "bob")[];
}

const anyOwner: fc.Arbitrary<Owner> = fc.record({
  // Near each other, near the moments at which others give up or look, or anywhere.
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

/** What the event tells. */
const question = {
  id: "77",
  sender: "alice",
  receiver: "support",
  receiverType: "user",
  conversationId: "alice_user_support",
};

const eventLimitMs = 30_000;
const key = "app|fact|trigger";

/** Plays a run to its end: what was sent, and what each owner was told. */
async function play(
  owners: readonly Owner[],
  fates: readonly Fate[],
  { lagMs, by }: { lagMs: number; by: "sendText" | "once" | "answer" },
) {
  const world = createHostileWorld(fates, lagMs);
  const { time } = world;
  let tokens = 0;

  const attempt = async (owner: Owner, count: number): Promise<string | Error | "died" | "time up"> => {
    const process = world.createProcess(owner.skewMs);
    const { now } = process;
    const ending = new AbortController();
    const deadlineMs = now() + eventLimitMs;
    const assertAlive = () => {
      if (ending.signal.aborted || now() >= deadlineMs) throw new EventEndedError();
    };
    const signal = owner.hasSignal ? ending.signal : undefined;
    const table = world.tableOf(process);
    const effects = createTestEffects({
      ledger: createLedger({ table, now }),
      appId: "app",
      guard: createTestGuard("app"),
      // The conversation may get this one answer.
      answers: createTestAnswers({ table, now, limit: 1, token: () => `version-${++tokens}` }),
      call: world.callOf(process),
      key,
      receivedAt: 0,
      scope: { deadlineMs, assertAlive, signal },
      now,
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
    const outcome = await Promise.race([
      perform[by]().then(
        (done) => ("id" in done ? done.id : done.passedOver),
        (error: Error) => error,
      ),
      process.dies.then(() => "died" as const),
      time.sleep(eventLimitMs).then(() => "time up" as const),
    ]);
    ending.abort(new EventEndedError());
    return outcome;
  };

  const told = owners.map(async (owner) => {
    await time.sleep(owner.startMs);
    for (let count = 1; count <= 200; count += 1) {
      const outcome = await attempt(owner, count);
      if (outcome === "died") await time.sleep(75_000);
      else if (outcome instanceof EffectBusyError || outcome instanceof EffectNotClearError) {
        await time.sleep(Math.max(1, outcome.retryAtMs - time.now() - owner.skewMs));
      } else if (outcome === "time up" || outcome instanceof Error) await time.sleep(owner.pauseMs);
      else return outcome;
    }
    return "gave up";
  });

  await time.run();
  return { sent: world.sent, told: await Promise.all(told), items: world.items() };
}

describe("an effect that several attempts are at", () => {
  it("happens exactly once, whatever happens to each step of whom, and all are told the same", async () => {
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
});
