import {
  type Pause,
  type PauseSettings,
  type PauseTarget,
  readPauseAttribute,
} from "../../effects/health/pause-settings.ts";

/** A pause that is in force, with what it stops. */
export interface ListedPause extends Pause {
  readonly target: PauseTarget;
}

/** Lists what is paused of an app now, since when, by whom and why, the oldest first (pure). */
export function listPauses(settings: PauseSettings, nowMs: number): readonly ListedPause[] {
  return [...settings]
    .flatMap(([attribute, pause]) => {
      const target = readPauseAttribute(attribute);
      return target === undefined || nowMs >= pause.untilMs ? [] : [{ ...pause, target }];
    })
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}
