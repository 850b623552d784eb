import type { Trigger, TriggerTable } from "../../lib/handle/on-trigger.ts";
import type { RunTriggerOptions, TriggerOutcome } from "./run-options.ts";

/**
 * Runs one trigger, or a table of triggers, on one event: with the real consumer, the emulated platform,
 * queues and tables in memory, and a clock that advances by itself. Takes a delivery's body from the
 * builders, or a derived event. Repeatable: each run has its own state.
 * @throws InvalidInputError for an invalid or unknown option, Error for an invalid event, a planned crash
 * that did not happen, a missing flow, and an endless story
 * @example const { sent } = await runTrigger(thanks, events.messageSent({ text: "thanks" }), { crash: "after
 * send" });
 */
export async function runTrigger(
  trigger: Trigger | TriggerTable,
  body: object,
  options: RunTriggerOptions = {},
): Promise<TriggerOutcome> {
  const { playTrigger } = await import("./kit/play-trigger.ts");
  return await playTrigger(trigger, body, options);
}
