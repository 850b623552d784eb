import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import type { FlowOutcome, RunFlowOptions } from "./run-options.ts";

/**
 * Runs one flow on an input, in the environment of `runTrigger`: waits take no real time. Runs no trigger.
 * Repeatable: each run has its own state.
 * @throws InvalidInputError for an invalid or unknown option, Error for an invalid input, a planned crash
 * that did not happen, and an endless story
 * @example const { sent, result } = await runFlow(escalate, { guid: "lobby" }, { later: [{ after: "5min",
 * event }] });
 */
export async function runFlow<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options: RunFlowOptions = {},
): Promise<FlowOutcome> {
  const { playFlow } = await import("./kit/play-flow.ts");
  return await playFlow(flow, input, options);
}
