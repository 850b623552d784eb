import { countOf } from "../../lib/base/count-of.ts";
import { deadLettering, isHeldBack } from "../../lib/effects/health/destinations.ts";
import { checkWaiting } from "../../lib/operate/doctor/check-queues.ts";
import { countConversations } from "../../lib/queue/lanes/lane-record.ts";
import type { LaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { type OutageWaiting, readOutageWaiting } from "../../lib/queue/lanes/outage-waiting.ts";
import type { WorkContext } from "../command.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { known, type OpenPauses } from "./open-pauses.ts";

export type WokenResult = Awaited<ReturnType<typeof wakeHosts>>;

const pollMs = 1_000;
/** The ticket looks every 5 s; a consumer with two processes needs 9 min for 10,000 conversations. */
const longestWaitMs = 120_000;

/**
 * Wakes as the host's first answer does. Counts for two minutes at most how many continued. May be repeated.
 * @param app undefined: every app
 */
export async function wakeHosts(
  { healthStore, store, room, lanes, sendRoomTicket, served }: OpenPauses,
  app: string | undefined,
  { target, edges, out, confirm }: WorkContext,
) {
  const { now } = edges;
  const appIds = app === undefined ? served.appIds : [known("app", app, served.appIds)];
  const waiting: OutageWaiting[] = [];
  const triggers = served.triggers.map(({ name }) => name);
  for (const appId of appIds) {
    out.progress(`looking for waiting conversations of app ${appId}`);
    waiting.push(...(await readOutageWaiting(appId, { healthStore, room, store, now }, triggers)));
  }
  if (waiting.length === 0) {
    for (const appId of appIds) {
      const found = await checkWaiting(appId, { lanes, now, remedies: remediesOf(target) }, []);
      for (const { status, says } of found) if (status !== "ok") out.note(says);
    }
    return { woken: [] };
  }
  await confirm(`Wake in ${target.title}: ${waiting.map((one) => nameWaiting(one, now())).join("; ")}?`);
  for (const { of } of waiting) {
    // Their requests would wait for this breaker.
    if (isHeldBack(of.outage.destination)) await healthStore.noteOk(of.appId, deadLettering, 0);
    // Sent first: the conversations continue even if this process dies.
    await sendRoomTicket(of);
    await healthStore.noteOk(of.appId, of.outage.destination, 0);
  }
  const untilMs = now() + longestWaitMs;
  const woken = [];
  for (const one of waiting) {
    const { of, laneIds, oldestMs, cause } = one;
    out.progress(
      `waiting for ${countOf(countConversations(laneIds), "conversation")} of app ${of.appId} to continue`,
    );
    const proved = await countWoken(one, untilMs, store, edges);
    woken.push({
      app: of.appId,
      destination: of.outage.destination,
      since: new Date(of.outage.sinceMs).toISOString(),
      conversations: countConversations(laneIds),
      oldest: new Date(oldestMs).toISOString(),
      cause,
      ...proved,
    });
  }
  return { woken };
}

export function printWoken({ woken }: WokenResult, out: Output): void {
  if (woken.length === 0) out.line("No conversation waits for a host.");
  for (const { app, destination, conversations, oldest, cause, wentOn, waitAgain, left } of woken) {
    out.line(`${destination} of app ${app}: ${wentOn} of ${conversations} went on`);
    out.line(`  the first waited since ${oldest}${cause === undefined ? "" : `: ${cause}`}`);
    if (waitAgain > 0) out.line(`  ${waitAgain} wait again: they failed there again, or are paused`);
    if (left > 0) out.line(`  ${left} are woken and not finished yet`);
  }
  if (woken.some(({ waitAgain, left }) => waitAgain + left > 0)) {
    out.note("See what still waits, and why: npx cometchat-functions doctor");
  }
}

export function areAwake({ woken }: WokenResult): boolean {
  return woken.every(({ waitAgain, left }) => waitAgain + left === 0);
}

async function countWoken(
  { of, laneIds }: OutageWaiting,
  untilMs: number,
  store: LaneStore,
  { now, sleep, signal }: CliEdges,
) {
  let left = laneIds;
  const elsewhere = new Set<string>();
  for (;;) {
    const parked = await store.find(left);
    const waitsElsewhere = (id: string) => ![undefined, of.pauseId].includes(parked.get(id)?.heldBy);
    for (const id of left.filter(waitsElsewhere)) elsewhere.add(id);
    left = left.filter((id) => parked.has(id) && !waitsElsewhere(id));
    if (left.length === 0 || now() >= untilMs) break;
    await sleep(pollMs, signal);
    signal.throwIfAborted();
  }
  const waitAgain = countConversations(elsewhere);
  const waiting = countConversations([...elsewhere, ...left]);
  return { wentOn: countConversations(laneIds) - waiting, waitAgain, left: waiting - waitAgain };
}

function nameWaiting({ of, laneIds, oldestMs, cause }: OutageWaiting, nowMs: number) {
  const count = countOf(countConversations(laneIds), "conversation");
  const minutes = Math.round((nowMs - oldestMs) / 60_000);
  return `${count} for ${of.outage.destination} of app ${of.appId}, the first for ${minutes} min${cause === undefined ? "" : ` (${cause})`}`;
}
