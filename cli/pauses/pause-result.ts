import * as z from "zod/mini";
import type { Pause } from "../../lib/effects/health/pause-settings.ts";
import type { PausePlace, Waiting } from "./open-pauses.ts";
import { toPauseWord } from "./pause-word.ts";

export const pauseSchema = z.strictObject({
  app: z.string(),
  /**
   * As typed: `app:<id>`, `trigger:<name>` or `flow:<name>`; `listen` if a developer's machine acts instead.
   */
  what: z.string(),
  since: z.string(),
  until: z.string(),
  /** AWS identity. */
  by: z.string(),
  reason: z.optional(z.string()),
  waiting: z.optional(z.strictObject({ lanes: z.number(), flows: z.number() })),
});

export type PauseResult = z.infer<typeof pauseSchema>;

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

/** `12 lanes and 1 flow` */
export function nameWaiting({ lanes, flows }: Waiting): string {
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  return `${counted(lanes, "conversation")} and ${counted(flows, "flow")}`;
}
