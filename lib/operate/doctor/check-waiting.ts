import { countOf } from "../../base/count-of.ts";
import { openLaneStores } from "../../queue/lanes/lane-stores.ts";
import { readOutageWaiting } from "../../queue/lanes/outage-waiting.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";

/** The most that are counted. */
const mostLooked = 100;

/**
 * For a host that answers no request, since when and why.
 * @throws AwsCallError
 */
export async function checkWaiting(
  appId: string,
  { lanes, now, remedies }: Pick<DoctorServices, "lanes" | "now" | "remedies">,
): Promise<readonly Found[]> {
  const waiting = await readOutageWaiting(appId, { ...openLaneStores(lanes, now), now }, mostLooked);
  const found = waiting.map(({ of, laneIds, isAll, oldestMs, cause, isWatched }) => {
    const what = `${isAll ? "" : "At least "}${countOf(laneIds.length, "conversation waits", "conversations wait")}`;
    const next = isWatched
      ? `All continue within a minute of its first answer. If it answers by now, wake them immediately: ${remedies.wake(appId)}.`
      : "Nothing has looked after them for 90 s: wake them when it answers.";
    return wrong(
      `${what} for ${of.outage.destination}, the first for ${minutesOf(now() - oldestMs)} min. ${next}${cause === undefined ? "" : ` Cause: ${cause}`}`,
      isWatched ? remedies.logs(appId) : remedies.wake(appId),
    );
  });
  return found.length > 0 ? found : [ok("No conversation waits for a host.")];
}

function minutesOf(ms: number): number {
  return Math.round(ms / 60_000);
}
