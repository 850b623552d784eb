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

/** Each open wait contains them: about 70 bytes each. */
const mostKnown = 300;

/** What a further wait of this execution would look at. */
export function lookBackOf({ sinceMs, known, early }: Pick<FlowPath, "sinceMs" | "known" | "early">) {
  const isEarly = early?.sinceMs === sinceMs;
  const mayCome = known
    .filter(({ receivedAt }) => isEarly || receivedAt >= sinceMs)
    .toSorted((one, other) => one.receivedAt - other.receivedAt);
  // Events of the time of those that are forgotten would come again.
  const forgotten = mayCome.at(-mostKnown - 1);
  const since = forgotten === undefined ? sinceMs : Math.max(sinceMs, forgotten.receivedAt + 1);
  const left = mayCome.slice(-mostKnown);
  return {
    ...{ since, known: left.map(({ key }) => key), knownAt: left.map(({ receivedAt }) => receivedAt) },
    causedByMessage: isEarly && since === sinceMs ? early.messageId : undefined,
  };
}

/** The effect that starts the next execution. */
export function continuing(input: unknown, { definition, id, identity = id }: FlowRun, path: FlowPath) {
  const effect = startFlow<unknown>(startable(definition), input);
  const more = { ...lookBackOf(path), identity };
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
