import { sideBySide } from "../../base/side-by-side.ts";
import { type CheckName, type Finding, type Found, unknown, whyUnknown, without } from "./finding.ts";

export type Looked = Found | readonly Found[];

export interface Check {
  readonly name: CheckName;
  /** Absent for the whole deployment. */
  readonly appId?: string;
  /** Changes nothing. An error is reported as `unknown`. */
  run(): Promise<Looked>;
  /** Default: the limit of all. */
  readonly limitMs?: number;
}

export interface RunChecksOptions {
  readonly atOnce: number;
  /** Of one check. */
  readonly limitMs: number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Then no further check begins. */
  readonly signal?: AbortSignal;
  readonly onDone?: (done: number) => void;
}

/** Concurrently, findings in order. Never throws: a hanging check ends after its time. */
export async function runChecks(
  checks: readonly Check[],
  { atOnce, limitMs, sleep, signal, onDone }: RunChecksOptions,
): Promise<readonly Finding[]> {
  let done = 0;
  const found = await sideBySide(checks, atOnce, async (check) => {
    if (signal?.aborted) return [];
    const ofCheck = await runOne(check, check.limitMs ?? limitMs, sleep);
    done += 1;
    onDone?.(done);
    return ofCheck;
  });
  return found.flat();
}

async function runOne(
  check: Check,
  limitMs: number,
  sleep: RunChecksOptions["sleep"],
): Promise<readonly Finding[]> {
  const { name, appId } = check;
  const found = await lookWithin(() => check.run(), limitMs, sleep);
  const all = isMany(found) ? found : [found];
  return all.map((one) => ({ ...one, check: name, ...(appId !== undefined && { appId }) }));
}

/** What it finds, or why it finds nothing: in time, and without an error. */
export async function lookWithin<Result>(
  look: () => Result | Promise<Result>,
  limitMs: number,
  sleep: RunChecksOptions["sleep"],
): Promise<Result | ReturnType<typeof whyUnknown>> {
  const timer = new AbortController();
  const timeUp = sleep(limitMs, timer.signal).then(
    () => without("no answer", `It took longer than ${Math.round(limitMs / 1000)} s.`),
    () => unknown("It was interrupted."),
  );
  const found = await Promise.race([Promise.try(look).catch(whyUnknown), timeUp]);
  timer.abort();
  return found;
}

function isMany(found: Looked): found is readonly Found[] {
  return Array.isArray(found);
}
