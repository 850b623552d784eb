import { sideBySide } from "../../base/side-by-side.ts";
import { type CheckName, type Finding, type Found, unknown, whyUnknown } from "./finding.ts";

/** One thing to look at. */
export interface Check {
  readonly name: CheckName;
  /** Absent for what is the whole deployment's. */
  readonly appId?: string;
  /** Looks, and changes nothing. What it throws is told as not known. */
  run(): Promise<Found | readonly Found[]>;
  /** Ends with a finding of its own after this time, in milliseconds. Default: that of all. */
  readonly limitMs?: number;
}

export interface RunChecksOptions {
  /** How many at once. */
  readonly atOnce: number;
  /** How long one may take, in milliseconds. */
  readonly limitMs: number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Once it is aborted no further check begins. */
  readonly signal?: AbortSignal;
  /** Hears how many are done. */
  readonly onDone?: (done: number) => void;
}

/** Runs checks side by side, and gives what they found, in their own order. Never throws: one that hangs ends after its time. */
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
  const timer = new AbortController();
  const timeUp = sleep(limitMs, timer.signal).then(
    () => unknown(`It took longer than ${Math.round(limitMs / 1000)} s.`),
    () => unknown("It was ended."),
  );
  const looked = Promise.try(() => check.run()).catch(whyUnknown);
  const found = await Promise.race([looked, timeUp]);
  timer.abort();
  const all = isMany(found) ? found : [found];
  return all.map((one) => ({ ...one, check: name, ...(appId !== undefined && { appId }) }));
}

function isMany(found: Found | readonly Found[]): found is readonly Found[] {
  return Array.isArray(found);
}
