import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import {
  fieldsToBringIn,
  isInUse,
  keepReplaced,
  type NextStep,
  nextStep,
  permitWhileWanted,
  refuseToPushOut,
  revertedError,
  valueIn,
} from "./next-step.ts";
import {
  fieldsOf,
  fieldText,
  isRotating,
  type RotatedCredential,
  RotationError,
  readReplacedKeys,
  rotateCommand,
  rotatingField,
  SecretChangedError,
  type StoredFields,
} from "./rotated-credentials.ts";
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

/** More conflicts mean that something keeps changing the secret. */
const mostConflicts = 20;
const mostStaleReads = 3;
const staleMs = 2_000;

/**
 * May be run again at any time, also concurrently.
 * @throws RotationError if it cannot continue, and what the platform and Secrets Manager's calls throw
 */
export async function runRotation(tools: RotationTools, wish: RotationWish): Promise<RotationResult> {
  const { credential, secret, rotation, now, sleep, report } = tools;
  const { beginsNew = true, bringsIn = true, overlap = "leave", isLeaked = false, isGiven, overlapMs } = wish;
  const rotating = isGiven || isLeaked ? `${credential} ${isLeaked ? 0 : overlapMs}` : undefined;
  const run: Run = { tools, wish, staleReads: 0, rotating };
  let hasBegun = false;
  let hasWorked = false;
  let mayReplace = beginsNew;
  let hasReplaced = false;
  if (beginsNew) await rotation.proveGiven?.((await secret.read()).current.fields);
  for (let conflicts = 0; ; ) {
    const state = await secret.read();
    const next = tryNextStep(state, credential, hasReplaced);
    try {
      if (mayReplace && isOpen(next, isLeaked)) {
        const wanted = await rotation.mustReplace?.(state, isLeaked);
        if (wanted === "replace") {
          report?.({ doing: "replace" });
          run.brings = await replaceKey(tools, wish, state);
          hasBegun = true;
        }
        mayReplace = false;
        if (wanted === "replace" || wanted === "replaced") {
          hasWorked = hasReplaced = true;
          continue;
        }
      }
      const isBehind = isReverted(run, state) || isUnlabelled(run, next);
      if (isBehind && run.staleReads < mostStaleReads) {
        run.staleReads += 1;
        await sleep(staleMs);
        continue;
      }
      if (next instanceof RotationError) throw next;
      if (isBehind) throw revertedError(state);
      if (next.step === "begin" && (hasWorked || !beginsNew)) {
        return { state: hasWorked ? "rotated" : await sweep(tools, state), hasBegun };
      }
      if (next.step === "bring-in" && !bringsIn) return { state: "pending", hasBegun };
      if (next.step === "overlap" && overlap !== "end" && now() < next.untilMs) {
        if (overlap === "leave") return { state: "overlapping", untilMs: next.untilMs, hasBegun };
        report?.({ doing: "wait", untilMs: next.untilMs });
        await sleep(next.untilMs - now());
        continue;
      }
      mayReplace &&= next.step !== "begin";
      hasBegun ||= next.step === "begin";
      await takeStep(run, state, next);
      run.staleReads = 0;
      // Secrets Manager's own rotations leave the label. After only an earlier overlap ended, the leaked
      // value is still in use.
      hasWorked ||= next.step !== "unlabel" && !(isLeaked && next.step === "overlap");
    } catch (error) {
      conflicts += 1;
      if (!(error instanceof SecretChangedError) || conflicts > mostConflicts) throw error;
      if (!(next instanceof RotationError) && next.step === "begin")
        throw new RotationError("somebody-else", error.message, othersHint(state));
    }
  }
}

function isUnlabelled({ unlabelled }: Run, next: NextStep | RotationError): boolean {
  return !(next instanceof RotationError) && next.step === "unlabel" && next.versionId === unlabelled;
}

function isReverted({ brings, tools: { credential } }: Run, { current, pending }: SecretState): boolean {
  if (brings === undefined) return false;
  return ![current, pending].some(
    (version) => version?.fields && isInUse(brings, credential, version.fields),
  );
}

/** Leaves the rest to a later run while the platform fails. */
async function sweep({ rotation, report }: RotationTools, state: SecretState): Promise<"idle"> {
  const hasEnded = await rotation.sweep?.(state).catch((error: unknown) => {
    if (!(error instanceof ChatApiError || error instanceof ChatUnreachableError)) throw error;
  });
  if (hasEnded) report?.({ doing: "sweep" });
  return "idle";
}

/** @param passesOver ignores a pending version that no rotation made */
function tryNextStep(state: SecretState, credential: RotatedCredential, passesOver: boolean) {
  const isForeign = passesOver && !isRotating(state.pending?.fields);
  try {
    return nextStep(isForeign ? { ...state, pending: undefined } : state, credential);
  } catch (error) {
    if (error instanceof RotationError) return error;
    throw error;
  }
}

function isOpen(next: NextStep | RotationError, isLeaked: boolean): boolean {
  if (next instanceof RotationError || next.step === "bring-in" || next.step === "overlap") return true;
  return isLeaked && next.step === "begin";
}

const othersHint = ({ current }: SecretState) =>
  `Another rotation began at the same time: look at ${rotateCommand("finish --dry-run", current.fields)}, or run this again.`;

interface Run {
  readonly tools: RotationTools;
  readonly wish: RotationWish;
  brings?: StoredFields;
  staleReads: number;
  readonly rotating: string | undefined;
  unlabelled?: string;
  proven?: string;
  ready?: string;
}

async function takeStep(run: Run, state: SecretState, next: NextStep) {
  const { credential, secret, rotation, now, report } = run.tools;
  const { current } = state;
  const replaceCurrent = (fields: StoredFields) => putVersion(run.tools, "AWSCURRENT", current, fields);
  switch (next.step) {
    case "begin":
      return begin(run, state);
    case "bring-in":
      return bringIn(run, state, next.pending.fields);
    case "keep-replaced":
      report?.({ doing: "keep" });
      return replaceCurrent(keepReplaced(state, credential, now() + lifeMsOf(run.wish, state)));
    case "unlabel":
      await secret.move("AWSPENDING", { from: next.versionId });
      run.unlabelled = next.versionId;
      return;
    case "overlap": {
      report?.({ doing: "retire" });
      await rotation.retire(next.replaced, current.fields, run.wish.isLeaked === true);
      const { replaced, until } = fieldsOf[credential];
      const { [replaced]: _replaced, [until]: _until, ...fields } = current.fields;
      return replaceCurrent(fields);
    }
  }
}

async function begin(run: Run, state: SecretState) {
  const { tools } = run;
  const { credential, rotation, now, newId, report } = tools;
  const { overlapMs, pushesOut, isLeaked = false } = run.wish;
  if (!pushesOut) refuseToPushOut(state, credential, now(), overlapMs);
  report?.({ doing: "make" });
  const id = newId();
  const value = await rotation.make(state, id, isLeaked);
  const fields = fieldsToBringIn(state.current.fields, credential, value, run.rotating);
  await putVersion(tools, "AWSPENDING", state.pending, fields, { id });
  run.brings = fields;
}

async function bringIn(run: Run, { current }: SecretState, pending: StoredFields) {
  const { credential, rotation, report } = run.tools;
  const value = valueIn(pending, credential);
  const permit = permitWhileWanted(run.tools, pending);
  run.brings = pending;
  // Both take time: the state after each decides.
  if (run.proven !== value) {
    report?.({ doing: "prove" });
    await rotation.prove(pending);
    run.proven = value;
    return;
  }
  if (run.ready !== value) {
    report?.({ doing: "switch" });
    await rotation.switchOver(pending, permit);
    run.ready = value;
    return;
  }
  report?.({ doing: "promote" });
  // Uses a separate version, which has all changes since the pending one was made.
  const rotating = run.rotating ?? fieldText(pending, rotatingField);
  const fields = fieldsToBringIn(current.fields, credential, value, rotating);
  await putVersion(run.tools, "AWSCURRENT", current, fields, await permit());
}

/** A leaked value is refused even if the previous version still has it. */
export function lifeMsOf(
  { overlapMs, isGiven, isLeaked }: RotationWish,
  { current, pending }: SecretState,
): number {
  if (isLeaked) return 0;
  const { fields } = isRotating(current.fields) ? current : (pending ?? current);
  const kept = fieldText(fields, rotatingField)?.split(" ")[1];
  return isGiven || kept === undefined ? overlapMs : Number(kept) || 0;
}

const { field, replaced, until } = fieldsOf["api-key"];

/**
 * Moves one label: a dead key must be replaceable at any time. Withdraws a pending key. Repeatable, and may
 * stop at any point.
 * @throws RotationError, SecretChangedError, and what the platform and Secrets Manager's calls throw
 */
export async function replaceKey(
  tools: RotationTools,
  wish: RotationWish,
  state: SecretState,
): Promise<StoredFields> {
  const { overlapMs, pushesOut, isLeaked = false } = wish;
  const { rotation, newId, now } = tools;
  if (!pushesOut) refuseToPushOut(state, "api-key", now(), overlapMs);
  const id = newId();
  const value = await rotation.make(state, id, isLeaked);
  await rotation.prove({ ...state.current.fields, [field]: value });
  if (pendingKeyOf(state.pending?.fields) !== undefined)
    await tools.secret.move("AWSPENDING", { from: state.pending?.id });
  const { current } = state;
  const kept = isRotating(current.fields)
    ? keepReplaced(state, "api-key", now() + overlapMs)
    : current.fields;
  const stored = storedKeys({ ...state, current: { ...current, fields: kept } }, isLeaked);
  const others = stored.filter((key) => key !== value);
  const fields = { ...kept, [field]: value };
  const replacing = {
    ...fields,
    ...(others.length > 0 && {
      [replaced]: others.join(" "),
      [until]: new Date(now() + lifeMsOf(wish, state)).toISOString(),
    }),
  };
  await putVersion(tools, "AWSCURRENT", current, replacing, { id });
  // No other step looks for created keys that are not stored.
  if (isLeaked && others.length === 0) await rotation.retire("", fields, true);
  return replacing;
}

/**
 * The key in use first. Includes the previous version's if a rotation replaced it and has not recorded that.
 */
export function storedKeys(
  { current, pending, previous }: SecretState,
  withPrevious: boolean,
): readonly string[] {
  const isKept = withPrevious || isRotating(current.fields);
  const keys = [
    fieldText(current.fields, field),
    ...readReplacedKeys(current.fields),
    pendingKeyOf(pending?.fields),
    ...(isKept ? [fieldText(previous?.fields, field)] : []),
  ];
  return [...new Set(keys.flatMap((key) => key?.trim() ?? []))];
}

export function pendingKeyOf(fields: StoredFields = {}): string | undefined {
  return isRotating(fields) ? fieldText(fields, field) : undefined;
}
