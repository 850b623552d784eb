import { epochMs } from "../../../local/testing/world/clock.ts";
import type { Poison } from "../world/handlers.ts";
import { answerTimes, judge, type Verdict } from "../world/judge.ts";
import { createWorld } from "../world/world.ts";

export interface PoisonFigures extends Verdict {
  /** Handler runs of the poison. */
  readonly begun: number;
  /** From the first process's end (or the first try) to the last innocent's answer, in minutes. */
  readonly innocentsMinutes: number;
  /** Until the poison was buried, in minutes since it came. */
  readonly buriedMinutes: number;
  readonly processDeaths: number;
  /** Messages in the first batch. */
  readonly firstBatch: number;
}

const minute = 60_000;

/** One event that no handler survives, or that alone is always refused, in one batch with nine of other conversations. */
export async function runPoison(
  seed: number,
  poison: Poison | "permanent" | "500 for it alone",
): Promise<PoisonFigures> {
  const world = createWorld({
    seed,
    receptionOf: ({ text }) => (text === "re: poison" ? { kind: "answer", status: 500 } : { kind: "well" }),
  });
  try {
    // Everything at once, so that it comes in one batch; the poison at any place in it.
    const place = Math.floor(world.random() * 10);
    for (let number = 0; number < 10; number += 1) {
      const conversation = `g${number}`;
      if (number === place) world.send({ id: "poison", conversation, atMs: 0, text: poison });
      else world.send({ id: `innocent-${number}`, conversation, atMs: 0 });
    }
    // Life goes on in the app, so that it is known whether others succeed.
    const lastSecond = poison === "500 for it alone" ? 3600 : 600;
    for (let second = 10; second < lastSecond; second += 10) {
      world.send({ id: `later-${second}`, conversation: `g${20 + (second % 30)}`, atMs: second * 1000 });
    }
    await world.run(48 * 60 * minute);

    const times = answerTimes(world);
    const firstEnd = world.lambda.firstDeathMs() ?? world.diary.begun.get("poison")?.[0] ?? 0;
    const innocents = [...times].filter(([id]) => id.startsWith("innocent"));
    const verdict = judge(world, (id) => id === "poison" || id.startsWith("innocent"));
    return {
      ...verdict,
      begun: world.diary.begun.get("poison")?.length ?? 0,
      innocentsMinutes: (Math.max(...innocents.map(([, atMs]) => atMs)) - (firstEnd - epochMs)) / minute,
      buriedMinutes: (verdict.dead.find(({ factId }) => factId === "poison")?.atMs ?? Number.NaN) / minute,
      processDeaths: world.lambda.deaths(),
      firstBatch: world.lambda.batches[0]?.length ?? 0,
    };
  } finally {
    world.close();
  }
}
