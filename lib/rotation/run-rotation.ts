import { fieldsToBringIn, refuseToPushOut } from "./fields-to-bring-in.ts";
import { isInUse, type NextStep, nextStep } from "./next-step.ts";
import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  readRotating,
  rotatingField,
  type StoredFields,
} from "./rotated-things.ts";
import { RotationError, SecretChangedError } from "./rotation-error.ts";
import type { SecretState, SecretVersions } from "./secret-versions.ts";

/** What is particular to a thing that can be rotated. Each may be repeated and die at any point. */
export interface ThingRotation {
  /** Makes a new value, or finds the one that an earlier run made and did not store. */
  make(current: StoredFields, versionId: string): Promise<string>;
  /** Sees that the pending value works. @throws RotationError when it does not */
  prove(pending: StoredFields): Promise<void>;
  /** Makes others use it, and waits until none of them uses the old one as a matter of course. */
  switchOver(fields: StoredFields): Promise<void>;
  /** Ends the replaced value where it still counts. */
  retire(replaced: string, current: StoredFields): Promise<void>;
}

export interface RotationTools {
  readonly secret: SecretVersions;
  readonly rotations: Readonly<Record<RotatedThing, ThingRotation>>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Gives ids of new versions: 32 to 64 characters, none twice. */
  readonly newId: () => string;
  /** Hears what is done and waited for. Default: nobody listens. */
  readonly report?: ((progress: RotationProgress) => void) | undefined;
}

/** What is done next, or waited for. */
export type RotationProgress =
  | {
      readonly doing: "make" | "prove" | "switch" | "promote" | "keep" | "retire";
      readonly things: readonly RotatedThing[];
    }
  | { readonly doing: "wait"; readonly things: readonly RotatedThing[]; readonly untilMs: number };

export interface RotationWish {
  readonly things: readonly RotatedThing[];
  /** How long what is replaced lives on, in milliseconds. */
  readonly overlapMs: number;
  /** Whether a new rotation begins where none is under way. Default: true. */
  readonly beginsNew?: boolean;
  /** Whether a pending version is brought in. Default: true. */
  readonly bringsIn?: boolean;
  /** What happens to the overlap: it is waited for, left to a later run, or ended at once. Default: left. */
  readonly overlap?: "wait" | "leave" | "end";
  /** Old values that only the previous version has may fall out. Default: false. */
  readonly pushesOut?: boolean;
}

export interface RotationResult {
  /** `rotated`: nothing is left to do. `overlapping`: what was replaced lives until `untilMs`. `pending`: left as it is. */
  readonly state: "rotated" | "overlapping" | "pending" | "idle";
  /** Milliseconds since 1970. */
  readonly untilMs?: number;
  /** Whether this run began the rotation; else it went on with one that was under way. */
  readonly hasBegun: boolean;
}

/** Others change the secret at the same time; more often than this, something keeps changing it. */
const mostConflicts = 20;

/**
 * Takes a rotation from where it is to its end: makes what is new, stores it as pending, proves it, switches to it, promotes it,
 * lets the old one live on for a while and ends it. May be run again at any time, also while another run is under way.
 * @throws RotationError when it cannot go on, and what the platform and Secrets Manager's calls throw
 */
export async function runRotation(tools: RotationTools, wish: RotationWish): Promise<RotationResult> {
  const { secret, now, sleep, report = () => {} } = tools;
  const { things, overlapMs, beginsNew = true, bringsIn = true, overlap = "leave" } = wish;
  const run: Run = { tools, wish, brings: undefined, proven: undefined, ready: undefined };
  let hasBegun = false;
  let hasWorked = false;
  for (let conflicts = 0; ; ) {
    const state = await secret.read();
    const next = nextStep(state, things);
    const { brings } = run;
    if (next.step === "begin" && brings && !isInUse(brings, readRotating(brings), state.current.fields)) {
      throw new RotationError(
        "somebody-else",
        `Somebody took the new version of ${state.arn} back.`,
        retryHint,
      );
    }
    if (next.step === "begin" && (hasWorked || !beginsNew)) {
      return { state: hasWorked ? "rotated" : "idle", hasBegun };
    }
    if (next.step === "bring-in" && !bringsIn) return { state: "pending", hasBegun };
    if (next.step === "bring-in" && !concerns(next, things)) throw othersTurn(state, next.things);
    if (next.step === "overlap" && overlap !== "end" && now() < next.untilMs) {
      if (overlap === "leave") return { state: "overlapping", untilMs: next.untilMs, hasBegun };
      report({ doing: "wait", things: [next.thing], untilMs: next.untilMs });
      await sleep(next.untilMs - now());
      continue;
    }
    try {
      hasBegun ||= next.step === "begin";
      await takeStep(run, state, next, overlapMs);
      hasWorked ||= concerns(next, things);
    } catch (error) {
      conflicts += 1;
      if (!(error instanceof SecretChangedError) || conflicts > mostConflicts) throw error;
      if (next.step === "begin") throw new RotationError("somebody-else", error.message, othersHint);
    }
  }
}

/** Tells whether a step belongs to the rotation that is wanted; what others left is tidied up on the way. */
function concerns(next: NextStep, things: readonly RotatedThing[]): boolean {
  switch (next.step) {
    case "begin":
    case "overlap":
      return true;
    case "unlabel":
      return false; // Secrets Manager's own rotations leave the label where it is
    case "bring-in":
    case "keep-replaced":
      return next.things.some((thing) => things.includes(thing));
  }
}

function othersTurn({ arn }: SecretState, things: readonly RotatedThing[]): RotationError {
  const typed = things.map((thing) => `rotate ${thing}`).join(", ");
  return new RotationError(
    "somebody-else",
    `Another rotation of ${arn} is under way, and a secret has one pending version.`,
    `Run this again in a minute. If nobody is at work on it, finish it first: ${typed}.`,
  );
}

const retryHint = "Look at `rotate status`, then run this again.";

const othersHint =
  "Somebody else began a rotation at the same moment: look at `rotate status`, or run this again.";

/** What one run remembers. */
interface Run {
  readonly tools: RotationTools;
  readonly wish: RotationWish;
  /** The version that it brings in. */
  brings: StoredFields | undefined;
  /** The values that this run has proven. */
  proven: string | undefined;
  /** The values that it has switched to. */
  ready: string | undefined;
}

async function takeStep(run: Run, state: SecretState, next: NextStep, overlapMs: number): Promise<void> {
  const { secret, rotations, now, newId, report = () => {} } = run.tools;
  const { current } = state;
  const replaceCurrent = async (fields: StoredFields): Promise<void> => {
    const id = newId();
    await secret.stage(id, fields);
    await secret.move("AWSCURRENT", { from: current.id, to: id });
  };
  switch (next.step) {
    case "begin":
      return begin(run, state);
    case "bring-in":
      return bringIn(run, state, next);
    case "keep-replaced":
      report({ doing: "keep", things: next.things });
      return replaceCurrent(keepReplaced(state, next.things, now() + overlapMs));
    case "unlabel":
      return secret.move("AWSPENDING", { from: next.versionId });
    case "overlap": {
      report({ doing: "retire", things: [next.thing] });
      await rotations[next.thing].retire(next.replaced, current.fields);
      const { replaced, until } = fieldsOf[next.thing];
      return replaceCurrent(without(current.fields, [replaced, until]));
    }
  }
}

async function begin({ tools, wish }: Run, state: SecretState): Promise<void> {
  const { secret, rotations, now, newId, report = () => {} } = tools;
  const { things, overlapMs, pushesOut = false } = wish;
  if (!pushesOut) refuseToPushOut(state, things, now(), overlapMs);
  report({ doing: "make", things });
  const id = newId();
  const values: Partial<Record<RotatedThing, string>> = {};
  for (const thing of things) values[thing] = await rotations[thing].make(state.current.fields, id);
  await secret.stage(id, fieldsToBringIn(state, values, overlapMs));
  await secret.move("AWSPENDING", { from: state.pending?.id, to: id });
}

async function bringIn(
  run: Run,
  state: SecretState,
  { things, pending }: Extract<NextStep, { step: "bring-in" }>,
): Promise<void> {
  const { secret, rotations, newId, report = () => {} } = run.tools;
  const values = Object.fromEntries(
    things.map((thing) => [thing, fieldText(pending.fields, fieldsOf[thing].field) ?? ""]),
  );
  run.brings = pending.fields;
  const wantedValues = JSON.stringify(values);
  // After each of both time has passed: what is there then decides.
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
  const wanted = fieldsToBringIn(state, values, run.wish.overlapMs);
  if (!isSame(wanted, pending.fields)) {
    // The secret was changed since the pending version was made of it.
    const id = newId();
    await secret.stage(id, wanted);
    return secret.move("AWSPENDING", { from: pending.id, to: id });
  }
  report({ doing: "promote", things });
  await secret.move("AWSCURRENT", { from: state.current.id, to: pending.id });
}

/** Writes down what the current version replaced, with its end; the previous version forgets it at the next change. */
export function keepReplaced(
  { current, previous }: SecretState,
  things: readonly RotatedThing[],
  untilMs: number,
): StoredFields {
  const kept = things.flatMap((thing) => {
    const { field, replaced, until } = fieldsOf[thing];
    const old = previous?.fields === undefined ? undefined : fieldText(previous.fields, field);
    if (old === undefined || old === fieldText(current.fields, field)) return [];
    return [
      [replaced, old],
      [until, new Date(untilMs).toISOString()],
    ];
  });
  return { ...without(current.fields, [rotatingField]), ...Object.fromEntries(kept) };
}

function without(fields: StoredFields, names: readonly string[]): StoredFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function isSame(one: StoredFields, other: StoredFields): boolean {
  const sorted = (fields: StoredFields) =>
    JSON.stringify(Object.entries(fields).toSorted(([first], [second]) => (first < second ? -1 : 1)));
  return sorted(one) === sorted(other);
}
