import * as z from "zod/mini";
import { type DurationText, durationMs } from "../../lib/base/config-fields.ts";
import { checkCall } from "../../lib/chat/check-call.ts";
import type { StackClock } from "../stack/clock/stack-clock.ts";

/** The platform's time runs like the machine's, and can be moved forward and stopped. */
export interface PlatformClock {
  /** Returns the platform's time. Never throws. */
  now(): Date;
  /**
   * Moves the time forward. Due work, such as a retry, happens at its time, each completely before the next.
   * Not repeatable.
   * @param by a duration such as `30s`, `10min`, `2h` or `1d`, or milliseconds
   * @throws RangeError for an invalid duration, Error if what falls due takes more than a minute
   */
  advance(by: DurationText | number): Promise<void>;
  /**
   * Stops the time; only `advance` moves it. Waits, such as the fault `latency`, last until then. Never
   * throws.
   */
  freeze(): void;
  /** Lets a stopped time continue. Never throws. */
  unfreeze(): void;
}

export function createTestClock(
  clock: Pick<StackClock, "now" | "moveTo" | "freeze" | "unfreeze">,
): PlatformClock {
  return {
    now: () => new Date(clock.now()),
    async advance(by) {
      checkCall("advance", "by", lengthOfTime(), by);
      const spanMs = typeof by === "number" ? by : durationMs(by);
      // The maximum of a Date.
      if (!(spanMs >= 0 && clock.now() + spanMs <= 8_640_000_000_000_000)) {
        throw new RangeError(`The clock only goes forward: ${spanMs} ms is no length of time for it.`);
      }
      const { isDone, nowMs } = await clock.moveTo(() => clock.now() + spanMs);
      if (isDone) return;
      throw new Error(
        `Too much falls due within ${spanMs} ms: after a minute the platform's time is ${new Date(nowMs).toISOString()}.`,
      );
    },
    freeze: () => clock.freeze(),
    unfreeze: () => clock.unfreeze(),
  };
}

const lengthOfTime = () =>
  z.custom<unknown>(
    (value) => typeof value === "string" || typeof value === "number",
    "a length of time such as 30s or 2h, or milliseconds",
  );
