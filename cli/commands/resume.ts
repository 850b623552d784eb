import { countOf } from "../../lib/base/count-of.ts";
import { deadLettering, isHeldBack } from "../../lib/effects/health/breaker.ts";
import { pauseAttribute } from "../../lib/effects/health/pause-settings.ts";
import { checkWaiting } from "../../lib/operate/doctor/check-queues.ts";
import { countConversations } from "../../lib/queue/lanes/lane-record.ts";
import type { LaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { type OutageWaiting, readOutageWaiting } from "../../lib/queue/lanes/outage-waiting.ts";
import { changeEach } from "../change-each.ts";
import { notThere } from "../cli-error.ts";
import { defineCommand, type WorkContext } from "../command.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import {
  countWaiting,
  findPlaces,
  known,
  namePause,
  nameWaiting,
  type OpenPauses,
  openPauses,
  type PauseResult,
  pauseScopeOptions,
  resumeWordArgument,
  toPauseResult,
} from "../pauses/open-pauses.ts";

export const command = defineCommand({
  description:
    "Takes effect within ten seconds. Waiting events are handled in order, before new ones. With hosts, the conversations that wait for a host after an outage, or for a trigger whose events are held back, try again now; if it still fails, they wait again. May be repeated.",
  examples: `
    $ resume trigger:auto-reply --stage prod
        what \`pause\` was given
    $ resume app:2379ab41f5c8 --stage prod
        resume an app, except for its own paused triggers and flows
    $ resume hosts --stage prod --app shop
        wake what waits for a host or a held-back trigger, of one app
  `,
  arguments: { what: resumeWordArgument },
  options: pauseScopeOptions,
  changes: true,
  run: async ({ args: { what }, options, ...context }): Promise<{ resumed: PauseResult[] } | WokenResult> => {
    const { target, confirm } = context;
    const open = await openPauses(context);
    if (what === "hosts") return await wakeHosts(open, options.app, context);
    const { pauses, room, sendRoomTicket, served } = open;
    // A pause may name what is no longer deployed.
    const { kind, name } = what;
    const withNamed = {
      appIds: kind === "app" ? [name] : served.appIds,
      flows: [name],
      triggers: [{ name, isShadowed: false }],
    };
    const found = [];
    for (const place of findPlaces(what, options, withNamed)) {
      const pause = (await pauses.read(place.appId)).get(pauseAttribute(place.target));
      if (pause === undefined) continue;
      const waiting = await countWaiting(room, { appId: place.appId, pauseId: pause.id });
      found.push({ place, pause, shownPause: toPauseResult(place, pause, waiting) });
    }
    if (found.length === 0) {
      throw notThere(
        "NOT_PAUSED",
        `${kind}:${name} is not paused.`,
        "See the pauses: npx cometchat-functions status",
      );
    }
    await confirm(
      `Resume in ${target.title}: ${found.map(({ shownPause }) => describe(shownPause)).join("; ")}?`,
    );
    const word = `${kind}:${name}`;
    await changeEach(
      found,
      async ({ place, pause }) => {
        // Runs first, in case the pause's own ticket was lost: it looks every five seconds until the end.
        await sendRoomTicket({ appId: place.appId, pauseId: pause.id });
        await pauses.end(place.appId, place.target);
      },
      {
        did: "Already resumed",
        nameOf: ({ place }) => place.appId,
        again: `npx cometchat-functions resume ${word} --all-apps`,
      },
    );
    return { resumed: found.map(({ shownPause }) => shownPause) };
  },
  print: (result, out) => {
    if ("woken" in result) printWoken(result, out);
    else for (const one of result.resumed) out.line(`${describe(one)}: resumes within ten seconds.`);
  },
  exitCode: (result) => ("woken" in result && !areAwake(result) ? "unwell" : "done"),
});

function describe(pause: PauseResult) {
  const { waiting } = pause;
  return namePause(pause) + (waiting === undefined ? "" : ` (${nameWaiting(waiting)} wait)`);
}

type WokenResult = Awaited<ReturnType<typeof wakeHosts>>;

const pollMs = 1_000;
/** The ticket looks every 5 s; a consumer with two processes needs 9 min for 10,000 conversations. */
const longestWaitMs = 120_000;

/**
 * Wakes as the host's first answer does. Counts for two minutes at most how many continued. May be repeated.
 * @param app undefined: every app
 */
async function wakeHosts(
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
  await confirm(`Wake in ${target.title}: ${waiting.map((one) => describeWaiting(one, now())).join("; ")}?`);
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

function printWoken({ woken }: WokenResult, out: Output) {
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

function areAwake({ woken }: WokenResult) {
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

function describeWaiting({ of, laneIds, oldestMs, cause }: OutageWaiting, nowMs: number) {
  const count = countOf(countConversations(laneIds), "conversation");
  const minutes = Math.round((nowMs - oldestMs) / 60_000);
  return `${count} for ${of.outage.destination} of app ${of.appId}, the first for ${minutes} min${cause === undefined ? "" : ` (${cause})`}`;
}
