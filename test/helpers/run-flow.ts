import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import { createFlowStarter } from "../../lib/flows/flow-starter.ts";
import { events } from "./events/events.ts";
import { flowsFunctionName } from "./kit/kit-flows.ts";
import type { StoryOutcome } from "./kit/outcome.ts";
import { playStory, type StoryOptions, usualTime } from "./kit/play-story.ts";
import { operateKitFlows, type PlayedFlow } from "./kit/played-flows.ts";

export interface RunFlowOptions extends StoryOptions {
  /** Default: app-1, as the builders of events have it. */
  readonly appId?: string;
}

/** What became of the flow, and of all else. */
export type FlowOutcome = StoryOutcome & Pick<PlayedFlow, "state" | "result" | "cause" | "steps">;

/**
 * Plays one flow on an input, in the world that `runTrigger` plays: its waits pass at once, and what happens meanwhile stands in
 * `later`. No trigger runs.
 * @throws Error for an input that does not fit, a crash that never came, and a story that never ends
 * @example const { sent, result } = await runFlow(escalate, { guid: "lobby" }, { later: [{ after: "5min", event }] });
 */
export async function runFlow<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options: RunFlowOptions = {},
): Promise<FlowOutcome> {
  const { appId = "app-1", flows = [] } = options;
  const misfit = flow.misfitOf(input);
  if (misfit !== undefined) throw new Error(`The input of flow "${flow.name}" does not fit: ${misfit}`);
  const receivedAt = (options.clock ?? usualTime).getTime();
  const outcome = await playStory(
    {
      triggers: {},
      about: [{ ...events.messageSent(), appId }],
      deliveries: [],
      begin: async (world) => {
        const { marks } = operateKitFlows(world);
        const starter = createFlowStarter({
          marks,
          functionName: flowsFunctionName,
          callAws: async ({ input: request, rest }) =>
            world.flows.answer({ ...rest, headers: rest?.headers ?? {}, body: JSON.stringify(request) }),
        });
        const { name, waitsFor } = flow;
        const request = { flow: name, appId, input, waitsFor: [...waitsFor], since: receivedAt };
        await starter.start(request, "the test");
      },
      ...{ appId, receivedAt },
    },
    { ...options, flows: [flow, ...flows.filter(({ name }) => name !== flow.name)] },
  );
  const [played] = outcome.flows;
  if (played === undefined) throw new Error(`The flow "${flow.name}" did not start.`);
  const { state, result, cause, steps } = played;
  return { ...outcome, state, result, cause, steps };
}
