import { OwnError, PermanentError } from "../base/errors.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { FlowStarter, StartableFlow } from "../effects/flow-request.ts";
import { startFlow } from "../effects/start-flow.ts";
import type { FlowDefinition } from "./define-flow.ts";
import { type FlowPath, type FlowRun, mayComeAgain } from "./flow-run.ts";

/** Thrown when the flow continues as a new execution. */
export class ContinuedError extends OwnError {
  override readonly name = "ContinuedError";
  /** Id of the new execution. */
  readonly id: string;

  constructor(id: string) {
    super(`The flow continues as ${id}.`);
    this.id = id;
  }
}

export const continueStep = "continue as";

/** Each open wait stores them, 70 bytes each; a DynamoDB item holds 400 kB. */
const mostKnown = 2_000;

/** @throws PermanentError if a further wait must consider too many events */
export function lookBackOf(path: Pick<FlowPath, "sinceMs" | "heardMs" | "known" | "early">) {
  const { sinceMs, heardMs, early } = path;
  const mayCome = mayComeAgain(path, 0);
  if (mayCome.length > mostKnown) {
    throw new PermanentError(
      `The flow would carry over more than ${mostKnown} events. Call \`flow.do\` before \`flow.continueAs\`: older events are then dropped.`,
    );
  }
  return {
    since: sinceMs,
    heardAt: heardMs,
    known: mayCome.map(({ key }) => key),
    knownAt: mayCome.map(({ receivedAt }) => receivedAt),
    causedByMessage: early?.sinceMs === sinceMs ? early.messageId : undefined,
  };
}

/** @throws the error that ended the flow */
export function assertNotEnded({ ended }: FlowPath): void {
  if (ended.by !== undefined) throw ended.by;
}

/** A call within a way, or a concurrent one, fails the whole flow. */
export function createContinueAs(
  run: FlowRun,
  path: FlowPath,
  start: (effect: ReturnType<typeof continuing>) => Promise<{ readonly id: string }>,
): (input: unknown) => Promise<never> {
  let isContinuing = false;
  return async (input) => {
    assertNotEnded(path);
    if (path.name !== "") {
      await run.steps.gate?.pass(async () => {
        path.ended.by = misplacedError();
      });
      assertNotEnded(path);
    }
    if (isContinuing) {
      path.ended.by = misplacedError("called once at a time");
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
      assertNotEnded(path);
      if (flows === undefined) throw new PermanentError("A flow cannot continue from here.");
      return flows.start({ ...request, ...lookBackOf(path), identity }, of);
    };
    return effect.stepsWith({ ...tools, flows: { start } }, ofEffect);
  };
  return { ...effect, stepsWith };
}

function startable(definition: FlowDefinition | undefined): StartableFlow<unknown> {
  if (definition === undefined) throw new PermanentError("A flow cannot continue from here.");
  const { name, waitsFor, misfitOf } = definition;
  return { name, waitsFor, misfitOf };
}

/** Fails the whole flow, even within `any`. */
export function misplacedError(rule = "outside of `all` and `any`"): InvalidInputError {
  return new InvalidInputError("continueAs", "flow", rule);
}

/** In a replay, only stored results show it. */
export function isMisplacedIn(ways: {
  succeeded(): readonly { readonly result: { readonly isMisplaced?: boolean } }[];
  getErrors(): readonly Error[];
}): boolean {
  const { message } = misplacedError();
  return (
    ways.succeeded().some(({ result }) => result.isMisplaced === true) ||
    ways.getErrors().some((error) => error.message === message)
  );
}
