import type { Random } from "../../../local/testing/simulated/random.ts";

const fates = [
  /** Never arrives: no connection. */
  "not connected",
  /** Never arrives, without an error. */
  "lost",
  /** Processed, but the connection breaks before the answer. */
  "answer lost",
  /** Not processed, and no answer until the caller's timeout. */
  "silence",
  /** Processed, and no answer until the caller's timeout. */
  "carried out in silence",
  /** The service throttles. */
  "throttled",
  /** The service fails and does nothing. */
  "failed",
] as const;

export type Fate = "answered" | (typeof fates)[number];

/** Shares from 0 to 1; the rest is answered. */
export type Shares = Partial<Record<(typeof fates)[number], number>>;

export function drawFate(shares: Shares, random: Random): Fate {
  let rest = random();
  return (
    fates.find((fate) => {
      rest -= shares[fate] ?? 0;
      return rest < 0;
    }) ?? "answered"
  );
}
