import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import type { FlowOutcome, RunFlowOptions } from "./run-options.ts";

/**
 * Plays one flow on an input, in the world that `runTrigger` plays: its waits pass at once, and what happens meanwhile stands in
 * `later`. No trigger runs.
 * May be repeated: each run has a world of its own.
 * @throws InvalidInputError for an option that is wrong or not known, Error for an input that does not fit, a crash that never came, and a story that never ends
 * @example const { sent, result } = await runFlow(escalate, { guid: "lobby" }, { later: [{ after: "5min", event }] });
 */
export async function runFlow<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options: RunFlowOptions = {},
): Promise<FlowOutcome> {
  // Loaded then: a test that only builds events needs no world.
  const { playFlow } = await import("./kit/play-flow.ts");
  return await playFlow(flow, input, options);
}
