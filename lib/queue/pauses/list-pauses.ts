import {
  type Pause,
  type PauseSettings,
  type PauseTarget,
  readPauseAttribute,
} from "../../effects/health/pause-settings.ts";

/** A pause in force, with its target. */
export interface ListedPause extends Pause {
  readonly target: PauseTarget;
}

/** Lists an app's pauses in force, oldest first (pure). */
export function listPauses(settings: PauseSettings, nowMs: number): readonly ListedPause[] {
  return [...settings]
    .flatMap(([attribute, pause]) => {
      const target = readPauseAttribute(attribute);
      return target === undefined || nowMs >= pause.untilMs ? [] : [{ ...pause, target }];
    })
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}
