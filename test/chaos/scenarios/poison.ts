import { epochMs } from "../../../local/testing/simulated/clock.ts";
import type { Poison } from "../world/handlers.ts";
import { answerTimes, judge, type Verdict } from "../world/judge.ts";
import { answer, minute, play, upTo, well } from "../world/play.ts";

export interface PoisonFigures extends Verdict {
  /** Handler runs of the poison. */
  readonly begun: number;
  /** From the first process's end (or first try) to the others' last answer, in minutes. */
  readonly innocentsMinutes: number;
  /** Minutes from the poison's arrival until it was dead-lettered. */
  readonly buriedMinutes: number;
  readonly processDeaths: number;
  /** Messages in the first batch. */
  readonly firstBatch: number;
}

/** One event that crashes every handler or is always refused, in a batch with nine of other conversations. */
export async function runPoison(
  seed: number,
  poison: Poison | "permanent" | "500 for it alone",
): Promise<PoisonFigures> {
  const tens = poison === "500 for it alone" ? 360 : 60;
  const { world } = await play({
    seed,
    receptionOf: ({ text }) => (text === "re: poison" ? answer(500) : well),
    facts: ({ random }) => {
      // All at the same time, so that they arrive in one batch; the poison at any place in it.
      const place = Math.floor(random() * 10);
      return [
        ...upTo(10, (n) => ({
          conversation: `g${n}`,
          atMs: 0,
          ...(n === place ? { id: "poison", text: poison } : { id: `innocent-${n}` }),
        })),
        // More events of the app show whether others succeed.
        ...upTo(tens - 1, (n) => ({
          id: `later-${n}`,
          conversation: `g${20 + (((n + 1) * 10) % 30)}`,
          atMs: (n + 1) * 10_000,
        })),
      ];
    },
  });
  const firstEnd = world.lambda.firstDeathMs() ?? world.diary.begun.get("poison")?.[0] ?? 0;
  const innocents = [...answerTimes(world)].filter(([id]) => id.startsWith("innocent"));
  const verdict = judge(world, (id) => id === "poison" || id.startsWith("innocent"));
  return {
    ...verdict,
    begun: world.diary.begun.get("poison")?.length ?? 0,
    innocentsMinutes: (Math.max(...innocents.map(([, atMs]) => atMs)) - (firstEnd - epochMs)) / minute,
    buriedMinutes: (verdict.dead.find(({ factId }) => factId === "poison")?.atMs ?? Number.NaN) / minute,
    processDeaths: world.lambda.deaths(),
    firstBatch: world.lambda.batches[0]?.length ?? 0,
  };
}
