import { epochMs } from "../../../local/testing/world/clock.ts";
import { drawFate } from "../../../local/testing/world/faults.ts";
import { judge, type Verdict } from "../world/judge.ts";
import { type PausePlan, planPauses } from "../world/pause-desk.ts";
import { createWorld } from "../world/world.ts";

export interface StopAndGoOptions {
  readonly seed: number;
  readonly messages: number;
  readonly conversations: number;
  /** How long pauses come and go. */
  readonly minutes: number;
}

const minute = 60_000;

/**
 * The app and its two triggers are paused and go on again and again, at random and across each other, some by an end of their
 * own, while messages come, processes die or stand still, answers get lost and deletions fail.
 */
export async function runStopAndGo(
  options: StopAndGoOptions,
): Promise<{ readonly verdict: Verdict; readonly audited: number; readonly pauses: number }> {
  const { seed, messages, conversations, minutes } = options;
  const world = createWorld({
    seed,
    enabledTriggers: "reply,audit",
    killAfterMs: (random) => (random() < 0.05 ? Math.floor(random() * 3_000) : undefined),
    strikeAt: (_operation, process, random) => {
      if (!process.name.startsWith("environment") || random() >= 0.003) return "none";
      return random() < 0.5 ? "killed after" : "frozen after";
    },
    fateOf: (_operation, _body, _nowMs, random) =>
      drawFate({ "answer lost": 0.005, throttled: 0.01, lost: 0.005 }, random),
    losesDeletion: (random) => random() < 0.02,
  });
  try {
    const plans: PausePlan[] = [];
    for (let fromMs = 2 * minute; fromMs < minutes * minute; ) {
      const endMs = fromMs + Math.floor(world.random() * 4 * minute);
      const draw = world.random();
      const target =
        draw < 0.4
          ? ({ kind: "app" } as const)
          : ({ kind: "trigger", name: draw < 0.8 ? "reply" : "audit" } as const);
      plans.push({ target, fromMs, ...(world.random() < 0.3 ? { untilMs: endMs } : { toMs: endMs }) });
      fromMs += Math.floor(world.random() * 3 * minute);
    }
    planPauses(world, plans);
    for (let number = 0; number < messages; number += 1) {
      world.send({
        id: `m${number}`,
        conversation: `g${number % conversations}`,
        atMs: Math.floor((number / messages) * minutes * minute),
        copies: 1 + (number % 2),
      });
    }
    await world.clock.run({ untilMs: epochMs + (minutes + 5) * minute });
    await world.run(30 * 60 * minute);
    return { verdict: judge(world), audited: world.diary.audited.size, pauses: plans.length };
  } finally {
    world.close();
  }
}
