import { OwnError } from "../base/own-error.ts";
import { PermanentError } from "../base/permanent-error.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { FlowStarter, StartableFlow } from "../effects/flow-request.ts";
import { startFlow } from "../effects/start-flow.ts";
import type { FlowDefinition } from "./define-flow.ts";
import type { FlowPath, FlowRun } from "./flow-run.ts";

/** The flow goes on as another execution. */
export class ContinuedError extends OwnError {
  override readonly name = "ContinuedError";

  constructor(id: string) {
    super(`The flow goes on as ${id}.`);
  }
}

/** As many as may come again within an hour of the latest wait (wait-for-event.ts). */
const mostKnown = 300;

/** The effect that starts the next execution. */
export function continuing(input: unknown, { definition, id, identity = id }: FlowRun, path: FlowPath) {
  const effect = startFlow<unknown>(startable(definition), input);
  const { sinceMs: since, knownKeys, early } = path;
  const more = { since, identity, known: knownKeys.slice(-mostKnown), causedByMessage: early?.messageId };
  const stepsWith: typeof effect.stepsWith = (tools, ofEffect) => {
    const { flows } = tools;
    const start: FlowStarter["start"] = async (request, of) => {
      if (flows === undefined) throw new PermanentError("A flow cannot go on from here.");
      return flows.start({ ...request, ...more }, of);
    };
    return effect.stepsWith({ ...tools, flows: { start } }, ofEffect);
  };
  return { ...effect, stepsWith };
}

function startable(definition: FlowDefinition | undefined): StartableFlow<unknown> {
  if (definition === undefined) throw new PermanentError("A flow cannot go on from here.");
  const { name, waitsFor, misfitOf } = definition;
  return { name, waitsFor, misfitOf };
}

/** Ends the whole flow, also where a way's failure does not count: a fault of its code. */
export function misplaced(): InvalidInputError {
  return new InvalidInputError("continueAs", "flow", "outside of `all` and `any`");
}

/** In a replay, the stored ends of the ways are all that is known of it. */
export function isMisplacedIn(ways: {
  succeeded(): readonly { readonly result: { readonly isMisplaced?: boolean } }[];
  getErrors(): readonly Error[];
}): boolean {
  const { message } = misplaced();
  return (
    ways.succeeded().some(({ result }) => result.isMisplaced === true) ||
    ways.getErrors().some((error) => error.message === message)
  );
}
