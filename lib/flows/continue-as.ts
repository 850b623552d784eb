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
  /** The new execution's. */
  readonly id: string;

  constructor(id: string) {
    super(`The flow goes on as ${id}.`);
    this.id = id;
  }
}

export const continueStep = "continue as";

/** Each open wait contains them: about 70 bytes each, and DynamoDB's items hold 400 kB. */
const mostKnown = 2_000;

/**
 * What a further wait would look at.
 * @throws PermanentError if that is too much
 */
export function lookBackOf({ sinceMs, known, early }: Pick<FlowPath, "sinceMs" | "known" | "early">) {
  const isEarly = early?.sinceMs === sinceMs;
  const mayCome = known.filter(({ receivedAt }) => isEarly || receivedAt >= sinceMs);
  if (mayCome.length > mostKnown) {
    throw new PermanentError(
      `The flow was given more than ${mostKnown} events that it would look back to. A \`flow.do\` before \`flow.continueAs\` ends the looking back.`,
    );
  }
  return {
    since: sinceMs,
    known: mayCome.map(({ key }) => key),
    knownAt: mayCome.map(({ receivedAt }) => receivedAt),
    causedByMessage: isEarly ? early.messageId : undefined,
  };
}

/** @throws what ended the flow */
export function assertGoing({ ended }: FlowPath): void {
  if (ended.by !== undefined) throw ended.by;
}

/** Once at a time, and not in a way: there it ends the whole flow. */
export function createContinueAs(
  run: FlowRun,
  path: FlowPath,
  start: (effect: ReturnType<typeof continuing>) => Promise<{ readonly id: string }>,
): (input: unknown) => Promise<never> {
  let isContinuing = false;
  return async (input) => {
    assertGoing(path);
    if (path.name !== "") {
      await run.steps.gate?.pass(async () => {
        path.ended.by = misplaced();
      });
      assertGoing(path);
    }
    if (isContinuing) {
      path.ended.by = misplaced("called once at a time");
      throw path.ended.by;
    }
    isContinuing = true;
    try {
      const { id } = await start(continuing(input, run, path));
      path.ended.by = new ContinuedError(id);
    } finally {
      isContinuing = false;
    }
    throw path.ended.by;
  };
}

function continuing(input: unknown, { definition, id, identity = id }: FlowRun, path: FlowPath) {
  const effect = startFlow<unknown>(startable(definition), input);
  const stepsWith: typeof effect.stepsWith = (tools, ofEffect) => {
    const { flows } = tools;
    const start: FlowStarter["start"] = async (request, of) => {
      assertGoing(path);
      if (flows === undefined) throw new PermanentError("A flow cannot go on from here.");
      return flows.start({ ...request, ...lookBackOf(path), identity }, of);
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

/** Ends the whole flow, even within `any`: a fault of its code. */
export function misplaced(rule = "outside of `all` and `any`"): InvalidInputError {
  return new InvalidInputError("continueAs", "flow", rule);
}

/** In a replay, only the ways' stored ends show it. */
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
