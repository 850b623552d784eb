import type { AppHealth } from "../../effects/health/app-health.ts";
import type { Pause } from "../../effects/health/pause-settings.ts";
import type { Lane } from "./lane-record.ts";

/**
 * Gives the pause for whose end a lane has to wait: its app's, or that of the trigger whose lane it is.
 * @throws AwsCallError, PauseSettingError when it cannot be known
 */
export async function pauseOfLane(
  { trigger }: Lane,
  health: Pick<AppHealth, "pauseOfApp" | "pauseOf">,
): Promise<Pause | undefined> {
  const ofApp = await health.pauseOfApp();
  if (ofApp !== undefined || trigger === undefined) return ofApp;
  return health.pauseOf({ kind: "trigger", name: trigger });
}
