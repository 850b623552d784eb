import type { Switches } from "../services/switches.ts";

/**
 * Gives the time of the next attempt, or undefined when the platform gives up: 10 s after the first attempt, then
 * 30 s after it (or 30 s after the first retry, by switch).
 * @see docs/platform/webhooks.md#retries
 */
export function nextAttemptMs(
  history: { failedAttempts: number; firstAttemptMs: number; lastAttemptMs: number },
  switches: Pick<Switches, "secondRetryFrom">,
): number | undefined {
  if (history.failedAttempts === 1) return history.firstAttemptMs + firstRetryMs;
  if (history.failedAttempts !== 2) return undefined;
  const from = switches.secondRetryFrom === "firstAttempt" ? history.firstAttemptMs : history.lastAttemptMs;
  return from + secondRetryMs;
}

const firstRetryMs = 10_000;
const secondRetryMs = 30_000;
