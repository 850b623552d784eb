import type { Trigger } from "../../lib/handle/on-trigger.ts";
import type { RunTriggerOptions, TriggerOutcome } from "./run-options.ts";

/**
 * Hands one event to one trigger, and plays the world: the real consumer, with the emulated platform, the queues and the tables
 * in memory, and a clock that moves by itself. Give it the body of a delivery, as the builders make it, or a derived event.
 * The flows among `flows` are played, too; what happens later stands in `later`.
 * May be repeated: each run has a world of its own.
 * @throws InvalidInputError for an option that is wrong or not known, Error for a body that is no event, a crash that never came, a flow that is not given, and a story that never ends
 * @example const { sent } = await runTrigger(thanks, events.messageSent({ text: "thanks" }), { crash: "after send" });
 */
export async function runTrigger(
  trigger: Trigger,
  body: object,
  options: RunTriggerOptions = {},
): Promise<TriggerOutcome> {
  // Loaded then: a test that only builds events needs no world.
  const { playTrigger } = await import("./kit/play-trigger.ts");
  return await playTrigger(trigger, body, options);
}
