import { drawFate } from "../world/faults.ts";
import type { Verdict } from "../world/judge.ts";
import { type PausePlan, planPauses } from "../world/pause-desk.ts";
import { minute, play, upTo } from "../world/play.ts";
import type { World } from "../world/world.ts";

export interface StopAndGoOptions {
  readonly seed: number;
  readonly messages: number;
  readonly conversations: number;
  /** How long pauses come and go. */
  readonly minutes: number;
}

/**
 * The app and its two triggers are paused and resumed again and again, at random and overlapping, some with
 * an end of their own, while messages arrive, processes crash or stand still, answers get lost and deletions
 * fail.
 */
export async function runStopAndGo(
  options: StopAndGoOptions,
): Promise<{ readonly verdict: Verdict; readonly audited: number; readonly pauses: number }> {
  const { seed, messages, conversations, minutes } = options;
  let pauses = 0;
  const { world, verdict } = await play({
    seed,
    enabledTriggers: "reply,audit",
    untilMs: (minutes + 5) * minute,
    facts: (begun) => {
      const plans = drawPauses(begun, minutes);
      pauses = plans.length;
      planPauses(begun, plans);
      return upTo(messages, (n) => ({
        id: `m${n}`,
        conversation: `g${n % conversations}`,
        atMs: Math.floor((n / messages) * minutes * minute),
        copies: 1 + (n % 2),
      }));
    },
    killAfterMs: (random) => (random() < 0.05 ? Math.floor(random() * 3_000) : undefined),
    strikeAt: (_operation, process, random) => {
      if (!process.name.startsWith("environment") || random() >= 0.003) return "none";
      return random() < 0.5 ? "killed after" : "frozen after";
    },
    fateOf: (_operation, _body, _nowMs, random) =>
      drawFate({ "answer lost": 0.005, throttled: 0.01, lost: 0.005 }, random),
    losesDeletion: (random) => random() < 0.02,
  });
  return { verdict, audited: world.diary.audited.size, pauses };
}

function drawPauses({ random }: World, minutes: number): readonly PausePlan[] {
  const plans: PausePlan[] = [];
  for (let fromMs = 2 * minute; fromMs < minutes * minute; ) {
    const endMs = fromMs + Math.floor(random() * 4 * minute);
    const draw = random();
    const target =
      draw < 0.4
        ? ({ kind: "app" } as const)
        : ({ kind: "trigger", name: draw < 0.8 ? "reply" : "audit" } as const);
    plans.push({ target, fromMs, ...(random() < 0.3 ? { untilMs: endMs } : { toMs: endMs }) });
    fromMs += Math.floor(random() * 3 * minute);
  }
  return plans;
}
