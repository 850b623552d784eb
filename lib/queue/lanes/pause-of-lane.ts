import type { AppHealth } from "../../effects/health/app-health.ts";
import type { Pause } from "../../effects/health/pause-settings.ts";
import type { Lane } from "./lane-record.ts";

/**
 * Returns the pause that a lane must wait for: its app's, or that of the lane's trigger.
 * @throws AwsCallError, PauseSettingError if it cannot be read
 */
export async function pauseOfLane(
  { trigger }: Lane,
  health: Pick<AppHealth, "pauseOfApp" | "pauseOf">,
): Promise<Pause | undefined> {
  const ofApp = await health.pauseOfApp();
  if (ofApp !== undefined || trigger === undefined) return ofApp;
  return health.pauseOf({ kind: "trigger", name: trigger });
}
