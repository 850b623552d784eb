import type { Random } from "./random.ts";

/** What becomes of one request on its way through the network and at the service. */
export type Fate =
  /** It is carried out, and the answer comes. */
  | "answered"
  /** It never arrives: no connection. */
  | "not connected"
  /** It arrives nowhere, and nobody says so. */
  | "lost"
  /** It is carried out, and the connection breaks before the answer. */
  | "answer lost"
  /** Nothing is carried out, and nothing is heard until the caller gives up. */
  | "silence"
  /** It is carried out, and nothing is heard until the caller gives up. */
  | "carried out in silence"
  /** The service says that it is asked too often. */
  | "throttled"
  /** The service fails and does nothing. */
  | "failed";

/** Shares of fates, each from 0 to 1; what is left over is answered. */
export type Shares = Partial<Record<Exclude<Fate, "answered">, number>>;

/** Draws a fate. */
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
