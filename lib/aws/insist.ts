import { AwsCallError, throttlingCodes } from "./aws-call.ts";

const firstPauseMs = 250;

/** Repeats what failed until `untilMs`. @param isFinal default: what a later call cannot change */
export async function insist<Result>(
  act: () => Promise<Result>,
  untilMs: number,
  { now, sleep }: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
  isFinal: (error: unknown) => boolean = isLasting,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await act();
    } catch (error) {
      if (isFinal(error) || now() + pauseMs >= untilMs) throw error;
      await sleep(pauseMs);
    }
  }
}

function isLasting(error: unknown): boolean {
  if (!(error instanceof AwsCallError)) return true;
  // Unprocessed keys have 200.
  const { status = 0, code } = error;
  return status >= 400 && status < 500 && !throttlingCodes.test(code);
}
