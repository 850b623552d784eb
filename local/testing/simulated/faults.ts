import type { Random } from "./random.ts";

export type Fate =
  | "answered"
  /** Never arrives: no connection. */
  | "not connected"
  /** Never arrives, without an error. */
  | "lost"
  /** Processed, but the connection breaks before the answer. */
  | "answer lost"
  /** Not processed, and no answer until the caller's timeout. */
  | "silence"
  /** Processed, and no answer until the caller's timeout. */
  | "carried out in silence"
  /** The service throttles. */
  | "throttled"
  /** The service fails and does nothing. */
  | "failed";

/** Shares from 0 to 1; the rest is answered. */
export type Shares = Partial<Record<Exclude<Fate, "answered">, number>>;

export function drawFate(shares: Shares, random: Random): Fate {
  let rest = random();
  for (const [fate, share] of Object.entries(shares)) {
    rest -= share;
    if (rest < 0 && isFate(fate)) return fate;
  }
  return "answered";
}

const fates: readonly Fate[] = [
  "not connected",
  "lost",
  "answer lost",
  "silence",
  "carried out in silence",
  "throttled",
  "failed",
];

function isFate(text: string): text is Fate {
  return fates.some((fate) => fate === text);
}
