import * as z from "zod/mini";
import { type DurationText, durationMs } from "../../lib/base/duration.ts";
import { checkCall } from "../../lib/chat/check-call.ts";
import type { WorldClock } from "../stack/clock/world-clock.ts";

/** The platform's time: it runs as the machine's, and can be put forward and stopped. */
export interface PlatformClock {
  /** Tells the time on the platform. Never throws. */
  now(): Date;
  /**
   * Puts the time forward. What falls due on the way happens at its time and in order, such as the next try of a delivery, and each
   * is over before the next begins. Repeated, it goes further.
   * @param by a length of time such as `30s`, `10min`, `2h` or `1d`, or milliseconds
   * @throws RangeError for what is no length of time, Error when what falls due takes more than a minute
   */
  advance(by: DurationText | number): Promise<void>;
  /** Stops the time; `advance` still moves it. What waits for its time then waits for that, such as a request with the fault `latency`. Never throws. */
  freeze(): void;
  /** Lets a stopped time go on from where it stands. Never throws. */
  unfreeze(): void;
}

/** Gives a test its hold on the clock. */
export function createTestClock(clock: WorldClock): PlatformClock {
  return {
    now: () => new Date(clock.now()),
    async advance(by) {
      checkCall("advance", "by", lengthOfTime(), by);
      const spanMs = typeof by === "number" ? by : durationMs(by);
      // A Date holds no later time.
      if (!(spanMs >= 0 && clock.now() + spanMs <= 8_640_000_000_000_000)) {
        throw new RangeError(`The clock only goes forward: ${spanMs} ms is no length of time for it.`);
      }
      const { isDone, nowMs } = await clock.moveTo(() => clock.now() + spanMs);
      if (isDone) return;
      throw new Error(
        `Too much falls due within ${spanMs} ms: after a minute the platform's time is ${new Date(nowMs).toISOString()}.`,
      );
    },
    freeze: clock.freeze,
    unfreeze: clock.letGo,
  };
}

const lengthOfTime = () =>
  z.custom<unknown>(
    (value) => typeof value === "string" || typeof value === "number",
    "a length of time such as 30s or 2h, or milliseconds",
  );
