import { countOf } from "../../base/count-of.ts";
import { openLaneStores } from "../../queue/lanes/lane-stores.ts";
import { type OutageWaiting, readOutageWaiting } from "../../queue/lanes/outage-waiting.ts";
import { outageRooms } from "../../queue/lanes/watch-outage.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./finding.ts";

/** The most that are counted. */
const mostLooked = 100;
/** A shorter wait is not wrong yet: one retry often ends it. */
const graceMs = 10_000;
/** Requests that fail this long without a conversation that waits were given up by their callers. */
const unsettledMs = 60_000;

/**
 * For a host that answers no request, since when and why.
 * @throws AwsCallError
 */
export async function checkWaiting(
  appId: string,
  services: Pick<DoctorServices, "lanes" | "now" | "remedies">,
  triggers: readonly string[],
): Promise<readonly Found[]> {
  const { lanes, now, remedies } = services;
  const stores = { ...openLaneStores(lanes, now), now };
  const waiting = await readOutageWaiting(appId, stores, triggers, mostLooked);
  if (waiting.length > 0) return waiting.map((one) => judge(appId, one, services));
  const failing = (await outageRooms(appId, stores)).filter(
    ({ outage: { sinceMs } }) => now() - sinceMs <= unsettledMs,
  );
  if (failing.length === 0) return [ok("No conversation waits for a host.")];
  return failing.map(({ outage: { destination, sinceMs } }) =>
    unknown(
      `Requests to ${destination} fail since ${new Date(sinceMs).toISOString().slice(11, 19)}; no conversation waits for it yet.`,
      remedies.logs(appId),
    ),
  );
}

function judge(
  appId: string,
  { of, laneIds, isAll, oldestMs, cause, isWatched }: OutageWaiting,
  { now, remedies }: Pick<DoctorServices, "now" | "remedies">,
): Found {
  const waitedMs = now() - oldestMs;
  const what = `${isAll ? "" : "At least "}${countOf(laneIds.length, "conversation waits", "conversations wait")}`;
  const next = isWatched
    ? `All continue within a minute of its first answer. If it answers by now, wake them immediately: ${remedies.wake(appId)}.`
    : "Nothing has looked after them for 90 s: wake them when it answers.";
  const says = `${what} for ${of.outage.destination}, the first for ${spanOf(waitedMs)}. ${next}${cause === undefined ? "" : ` Cause: ${cause}`}`;
  const remedy = isWatched ? remedies.logs(appId) : remedies.wake(appId);
  return waitedMs < graceMs ? unknown(says, remedy) : wrong(says, remedy);
}

function spanOf(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
