import type { LaneServices } from "./attempt.ts";
import { LaneLostError } from "./lane-store.ts";

const firstPauseMs = 250;

/** A failure would otherwise look like a crash and count as a try. */
export async function insist<Result>(
  act: () => Promise<Result>,
  deadlineMs: number,
  { now, sleep }: Pick<LaneServices, "now" | "sleep">,
  isFinal: (error: unknown) => boolean = (error) => error instanceof LaneLostError,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await act();
    } catch (error) {
      if (isFinal(error) || now() + pauseMs >= deadlineMs) throw error;
      await sleep(pauseMs);
    }
  }
}
