import * as z from "zod/mini";
import type { Pause } from "../../lib/effects/health/pause-settings.ts";
import type { PausePlace, Waiting } from "./open-pauses.ts";
import { toPauseWord } from "./pause-word.ts";

/** One pause in a command's result. */
export const pauseSchema = z.strictObject({
  app: z.string(),
  /**
   * As it is typed: `app:<id>`, `trigger:<name>` or `flow:<name>`; `listen` if a developer's machine acts
   * instead.
   */
  what: z.string(),
  since: z.string(),
  /** When the pause ends automatically. */
  until: z.string(),
  /** The AWS identity that ordered it. */
  by: z.string(),
  reason: z.optional(z.string()),
  /** What waits for its end. */
  waiting: z.optional(z.strictObject({ lanes: z.number(), flows: z.number() })),
});

export type PauseResult = z.infer<typeof pauseSchema>;

/** Converts a pause to its result (pure). */
export function toPauseResult({ appId, target }: PausePlace, pause: Pause, waiting?: Waiting): PauseResult {
  return {
    app: appId,
    what: toPauseWord(appId, target),
    since: new Date(pause.sinceMs).toISOString(),
    until: new Date(pause.untilMs).toISOString(),
    by: pause.by,
    ...(pause.reason !== undefined && { reason: pause.reason }),
    ...(waiting !== undefined && { waiting }),
  };
}

/** `12 lanes and 1 flow` (pure). */
export function nameWaiting({ lanes, flows }: Waiting): string {
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  return `${counted(lanes, "conversation")} and ${counted(flows, "flow")}`;
}
