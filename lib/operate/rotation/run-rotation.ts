import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import {
  fieldsToBringIn,
  isInUse,
  keepReplaced,
  makeValues,
  type NextStep,
  nextStep,
  refuseToPushOut,
  valuesIn,
} from "./next-step.ts";
import { replaceKey } from "./replace-key.ts";
import {
  fieldsOf,
  type RotatedThing,
  RotationError,
  readRotating,
  rotateCommand,
  SecretChangedError,
  type StoredFields,
} from "./rotated-things.ts";
import { putVersion, type RotationTools, type RotationWish, type SecretState } from "./secret-versions.ts";

export interface RotationResult {
  /**
   * `rotated`: nothing is left. `overlapping`: the replaced value is valid until `untilMs`. `pending`:
   * unchanged.
   */
  readonly state: "rotated" | "overlapping" | "pending" | "idle";
  /** Milliseconds since 1970. */
  readonly untilMs?: number;
  readonly hasBegun: boolean;
}

/** After more, something keeps changing the secret. */
const mostConflicts = 20;

/**
 * May be run again at any time, also concurrently.
 * @throws RotationError if it cannot continue, and what the platform and Secrets Manager's calls throw
 */
export async function runRotation(tools: RotationTools, wish: RotationWish): Promise<RotationResult> {
  const { secret, now, sleep, report = () => {} } = tools;
  const { things, beginsNew = true, bringsIn = true, overlap = "leave", isLeaked = false } = wish;
  const run: Run = { tools, wish, brings: undefined, proven: undefined, ready: undefined };
  let hasBegun = false;
  let hasWorked = false;
  let mayReplace = beginsNew && things.includes("api-key");
  let hasReplaced = false;
  const given = beginsNew ? things.flatMap((thing) => tools.rotations[thing].proveGiven ?? []) : [];
  for (const prove of given) await prove((await secret.read()).current.fields);
  for (let conflicts = 0; ; ) {
    const state = await secret.read();
    const next = tryNextStep(hasReplaced ? passOver(state, things) : state, things);
    try {
      if (mayReplace && isOpen(next, isLeaked)) {
        const wanted = await tools.rotations["api-key"].mustReplace?.(state, isLeaked);
        if (wanted === "replace") {
          report({ doing: "replace", things: ["api-key"] });
          await replaceKey(tools, wish, state);
          hasBegun = true;
        }
        mayReplace = false;
        if (wanted === "replace" || wanted === "replaced") {
          hasWorked = hasReplaced = true;
          continue;
        }
      }
      if (next instanceof RotationError) throw next;
      const { brings } = run;
      if (next.step === "begin" && brings && !isInUse(brings, readRotating(brings), state.current.fields)) {
        throw new RotationError(
          "somebody-else",
          `The new version of ${state.arn} was reverted.`,
          retryHint(state),
        );
      }
      if (next.step === "begin" && (hasWorked || !beginsNew)) {
        return { state: hasWorked ? "rotated" : await sweep(tools, state, things), hasBegun };
      }
      if (next.step === "bring-in" && !bringsIn) return { state: "pending", hasBegun };
      if (next.step === "bring-in" && !concerns(next, things)) throw othersTurn(state, next.things);
      if (next.step === "overlap" && overlap !== "end" && now() < next.untilMs) {
        if (overlap === "leave") return { state: "overlapping", untilMs: next.untilMs, hasBegun };
        report({ doing: "wait", things: [next.thing], untilMs: next.untilMs });
        await sleep(next.untilMs - now());
        continue;
      }
      mayReplace &&= next.step !== "begin";
      hasBegun ||= next.step === "begin";
      await takeStep(run, state, next);
      // After only an earlier overlap ended, the leaked value is still in use.
      hasWorked ||= concerns(next, things) && !(isLeaked && next.step === "overlap");
    } catch (error) {
      conflicts += 1;
      if (!(error instanceof SecretChangedError) || conflicts > mostConflicts) throw error;
      if (!(next instanceof RotationError) && next.step === "begin")
        throw new RotationError("somebody-else", error.message, othersHint(state));
    }
  }
}

/** While the platform fails, what is left waits for a later run. */
async function sweep(
  { rotations, report = () => {} }: RotationTools,
  state: SecretState,
  things: readonly RotatedThing[],
): Promise<"idle"> {
  for (const thing of things) {
    const hasEnded = await rotations[thing].sweep?.(state).catch((error: unknown) => {
      if (!(error instanceof ChatApiError || error instanceof ChatUnreachableError)) throw error;
    });
    if (hasEnded) report({ doing: "sweep", things: [thing] });
  }
  return "idle";
}

function tryNextStep(state: SecretState, things: readonly RotatedThing[]): NextStep | RotationError {
  try {
    return nextStep(state, things);
  } catch (error) {
    if (error instanceof RotationError) return error;
    throw error;
  }
}

function isOpen(next: NextStep | RotationError, isLeaked: boolean): boolean {
  if (next instanceof RotationError || next.step === "bring-in" || next.step === "overlap") return true;
  return isLeaked && next.step === "begin";
}

function passOver(state: SecretState, things: readonly RotatedThing[]): SecretState {
  const isOurs = readRotating(state.pending?.fields ?? {}).some((thing) => things.includes(thing));
  return isOurs ? state : { ...state, pending: undefined };
}

/** Others' leftovers are finished on the way. */
function concerns(next: NextStep, things: readonly RotatedThing[]): boolean {
  switch (next.step) {
    case "begin":
    case "overlap":
      return true;
    case "unlabel":
      return false; // Secrets Manager's own rotations leave the label
    case "bring-in":
    case "keep-replaced":
      return next.things.some((thing) => things.includes(thing));
  }
}

function othersTurn({ arn, current }: SecretState, things: readonly RotatedThing[]): RotationError {
  const typed = things.map((thing) => rotateCommand(thing, current.fields)).join(", ");
  return new RotationError(
    "somebody-else",
    `Another rotation of ${arn} is under way, and a secret has one pending version.`,
    `Run this again in a minute. If no other run is in progress, finish it first: ${typed}.`,
  );
}

const retryHint = ({ current }: SecretState) =>
  `Look at ${rotateCommand("finish --dry-run", current.fields)}, then run this again.`;

const othersHint = ({ current }: SecretState) =>
  `Another rotation began at the same time: look at ${rotateCommand("finish --dry-run", current.fields)}, or run this again.`;

interface Run {
  readonly tools: RotationTools;
  readonly wish: RotationWish;
  brings: StoredFields | undefined;
  proven: string | undefined;
  ready: string | undefined;
}

async function takeStep(run: Run, state: SecretState, next: NextStep): Promise<void> {
  const { secret, rotations, now, report = () => {} } = run.tools;
  const { current } = state;
  const replaceCurrent = (fields: StoredFields) => putVersion(run.tools, "AWSCURRENT", current, fields);
  switch (next.step) {
    case "begin":
      return begin(run, state);
    case "bring-in":
      return bringIn(run, state, next);
    case "keep-replaced":
      report({ doing: "keep", things: next.things });
      return replaceCurrent(keepReplaced(state, next.things, now() + lifeOf(run.wish)));
    case "unlabel":
      return secret.move("AWSPENDING", { from: next.versionId });
    case "overlap": {
      report({ doing: "retire", things: [next.thing] });
      await rotations[next.thing].retire(next.replaced, current.fields, run.wish.isLeaked === true);
      const { replaced, until } = fieldsOf[next.thing];
      return replaceCurrent(without(current.fields, [replaced, until]));
    }
  }
}

/** A leaked value is refused even if the previous version still has it. */
function lifeOf({ overlapMs, isLeaked = false }: RotationWish): number {
  return isLeaked ? 0 : overlapMs;
}

async function begin({ tools, wish }: Run, state: SecretState): Promise<void> {
  const { now, newId, report = () => {} } = tools;
  const { things, overlapMs, pushesOut = false, isLeaked } = wish;
  if (!pushesOut) refuseToPushOut(state, things, now(), overlapMs);
  report({ doing: "make", things });
  const id = newId();
  const values = await makeValues(tools, things, state, id, isLeaked);
  await putVersion(tools, "AWSPENDING", state.pending, fieldsToBringIn(state, values, overlapMs), id);
}

async function bringIn(
  run: Run,
  state: SecretState,
  { things, pending }: Extract<NextStep, { step: "bring-in" }>,
): Promise<void> {
  const { rotations, report = () => {} } = run.tools;
  const values = valuesIn(pending.fields, things);
  run.brings = pending.fields;
  const wantedValues = JSON.stringify(values);
  // Both take time: the state after each decides.
  if (run.proven !== wantedValues) {
    report({ doing: "prove", things });
    for (const thing of things) await rotations[thing].prove(pending.fields);
    run.proven = wantedValues;
    return;
  }
  if (run.ready !== wantedValues) {
    report({ doing: "switch", things });
    for (const thing of things) await rotations[thing].switchOver(pending.fields);
    run.ready = wantedValues;
    return;
  }
  report({ doing: "promote", things });
  // In a separate version: what it replaces is accepted for a while after that was made.
  const fields = fieldsToBringIn(state, values, run.wish.overlapMs);
  await putVersion(run.tools, "AWSCURRENT", state.current, fields);
}

function without(fields: StoredFields, names: readonly string[]): StoredFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
