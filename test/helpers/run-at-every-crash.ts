import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import type { Trigger } from "../../lib/triggers/on-trigger.ts";
import type { StoryOutcome } from "./kit/outcome.ts";
import { type FlowOutcome, type RunFlowOptions, runFlow } from "./run-flow.ts";
import { type RunTriggerOptions, runTrigger, type TriggerOutcome } from "./run-trigger.ts";

/** A run in which a process died at one edge. */
export type CrashedRun<Outcome extends StoryOutcome = TriggerOutcome> = Outcome & {
  /** Such as `after PUT /groups/lobby`. */
  readonly crash: string;
};

/**
 * Hands one event to one trigger as `runTrigger` does, or runs a flow as `runFlow` does, once for each place at which a process
 * can die: before and after each request and each write, of the consumer and of flows. What should happen once has to be so in
 * every run.
 * @example for (const { crash, sent } of await runAtEveryCrash(thanks, event)) expect([crash, sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash(
  trigger: Trigger,
  body: object,
  options?: Omit<RunTriggerOptions, "crash">,
): Promise<readonly CrashedRun[]>;
export async function runAtEveryCrash<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options?: Omit<RunFlowOptions, "crash">,
): Promise<readonly CrashedRun<FlowOutcome>[]>;
export async function runAtEveryCrash(
  what: Trigger | FlowDefinition<never>,
  subject: object,
  options: RunTriggerOptions & RunFlowOptions = {},
): Promise<readonly CrashedRun<StoryOutcome>[]> {
  const run = (more: RunTriggerOptions) =>
    "names" in what
      ? runTrigger(what, subject, { ...options, ...more })
      : runFlow(what, subject as never, { ...options, ...more });
  const { edges } = await run({});
  const crashes = [...edges.keys()].flatMap((edge) => [
    { when: "before", edge } as const,
    { when: "after", edge } as const,
  ]);
  const runs: CrashedRun<StoryOutcome>[] = [];
  const atOnce = "names" in what && options.flows === undefined ? 1 : flowsAtOnce;
  for (let from = 0; from < crashes.length; from += atOnce) {
    const some = crashes.slice(from, from + atOnce).map(async (crash) => {
      const outcome = await run({ crash: [crash] });
      return { ...outcome, crash: outcome.crashed.join(", ") };
    });
    runs.push(...(await Promise.all(some)));
  }
  return runs;
}

/** The SDK of flows lets go of an invocation in real time, which several runs can wait for together. */
const flowsAtOnce = 8;
