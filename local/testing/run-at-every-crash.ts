import { isRecord } from "../../lib/base/json.ts";
import { InvalidInputError } from "../../lib/chat/errors.ts";
import { readPlainly } from "../../lib/chat/read-plainly.ts";
import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import type { Trigger, TriggerTable } from "../../lib/handle/on-trigger.ts";
import { runFlow } from "./run-flow.ts";
import type { FlowOutcome, RunFlowOptions, RunTriggerOptions, TriggerOutcome } from "./run-options.ts";
import { runTrigger } from "./run-trigger.ts";
import type { StoryOutcome } from "./story-outcome.ts";

/** A run with one crash of a process. */
export type CrashedRun<Outcome extends StoryOutcome = TriggerOutcome> = Outcome & {
  /** Such as `after PUT /groups/lobby`. */
  readonly crash: string;
};

/**
 * Runs one event on one trigger like `runTrigger`, or a flow like `runFlow`, once for each place where a
 * process can crash: before and after each request and each write, of the consumer and of flows. Effects must
 * happen once in every run. Repeatable.
 * @throws the errors of `runTrigger` and `runFlow`
 * @example for (const { crash, sent } of await runAtEveryCrash(thanks, event)) expect([crash,
 * sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash(
  trigger: Trigger | TriggerTable,
  body: object,
  options?: Omit<RunTriggerOptions, "crash">,
): Promise<readonly CrashedRun[]>;
/**
 * Runs a flow like `runFlow`, once for each place where a process can crash: before and after each request
 * and each write. Effects must happen once in every run. Repeatable.
 * @throws the errors of `runFlow`
 * @example for (const { crash, sent } of await runAtEveryCrash(escalate, { guid: "lobby" })) expect([crash,
 * sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options?: Omit<RunFlowOptions, "crash">,
): Promise<readonly CrashedRun<FlowOutcome>[]>;
export async function runAtEveryCrash<Input>(
  what: Trigger | TriggerTable | FlowDefinition<Input>,
  subject: Input,
  options: RunTriggerOptions & RunFlowOptions = {},
): Promise<readonly CrashedRun<StoryOutcome>[]> {
  readPlainly("runAtEveryCrash", "options", () => {
    if (!isRecord({ ...options }) || !isRecord(options))
      throw new InvalidInputError("runAtEveryCrash", "options", "an object");
  });
  const { run, isAlone } = readPlainly("runAtEveryCrash", "trigger", () => {
    if (!isRecord(what))
      throw new InvalidInputError("runAtEveryCrash", "trigger", "what onTrigger or defineFlow made", !what);
    if (isFlow<Input>(what)) {
      const runOf = (more: RunFlowOptions) => runFlow(what, subject, { ...options, ...more });
      return { run: runOf, isAlone: false };
    }
    const runOf = (more: RunTriggerOptions) => runTrigger(what, Object(subject), { ...options, ...more });
    return { run: runOf, isAlone: options.flows === undefined };
  });
  const { edges } = await run({});
  const crashes = [...edges.keys()].flatMap((edge) => [
    { when: "before", edge } as const,
    { when: "after", edge } as const,
  ]);
  const runs: CrashedRun<StoryOutcome>[] = [];
  const atOnce = isAlone ? 1 : flowsAtOnce;
  for (let from = 0; from < crashes.length; from += atOnce) {
    const some = crashes.slice(from, from + atOnce).map(async (crash) => {
      const outcome = await run({ crash: [crash] });
      return { ...outcome, crash: outcome.crashed.join(", ") };
    });
    runs.push(...(await Promise.all(some)));
  }
  return runs;
}

function isFlow<Input>(what: Trigger | TriggerTable | FlowDefinition<Input>): what is FlowDefinition<Input> {
  return "misfitOf" in what && typeof what.misfitOf === "function";
}

/** The SDK ends an invocation in real time, which runs can await in parallel. */
const flowsAtOnce = 8;
