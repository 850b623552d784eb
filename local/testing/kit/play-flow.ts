import * as z from "zod/mini";
import { checkCall } from "../../../lib/chat/check-call.ts";
import { readPlainly } from "../../../lib/chat/check-plain.ts";
import type { FlowDefinition } from "../../../lib/flows/define-flow.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { checkStoryOptions, flowSchema } from "../check-story.ts";
import { events } from "../events/events.ts";
import type { FlowOutcome, RunFlowOptions } from "../run-options.ts";
import { flowsFunctionName } from "./kit-flows.ts";
import { playStory, usualTime } from "./play-story.ts";
import { operateKitFlows } from "./played-flows.ts";

export async function playFlow<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options: RunFlowOptions,
): Promise<FlowOutcome> {
  checkCall("runFlow", "flow", flowSchema(), flow);
  checkStoryOptions("runFlow", options, { appId: z.optional(z.string()) });
  const { appId = "app-1", flows = [] } = options;
  const misfit = readPlainly("runFlow", "input", () => flow.misfitOf(input));
  if (misfit !== undefined) throw new Error(`The input of flow "${flow.name}" does not fit: ${misfit}`);
  const receivedAt = (options.clock ?? usualTime).getTime();
  const outcome = await playStory(
    {
      triggers: {},
      about: [{ ...events.messageSent(), appId }],
      deliveries: [],
      begin: async (simulation) => {
        const { marks, callAws } = operateKitFlows(simulation);
        const starter = createFlowStarter({ marks, functionName: flowsFunctionName, callAws });
        const { name, waitsFor } = flow;
        const request = { flow: name, appId, input, waitsFor: [...waitsFor], since: receivedAt };
        await starter.start(request, "the test");
      },
      appId,
      receivedAt,
    },
    { ...options, flows: [flow, ...flows.filter(({ name }) => name !== flow.name)] },
  );
  const [played] = outcome.flows;
  if (played === undefined) throw new Error(`The flow "${flow.name}" did not start.`);
  const { state, result, cause, steps } = played;
  return { ...outcome, state, result, cause, steps };
}
