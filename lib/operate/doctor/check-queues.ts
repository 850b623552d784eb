import type { AwsCaller } from "../../aws/aws-call.ts";
import { readQueueCounts, readQueueDepth } from "../../aws/queue-counts.ts";
import { readOldest } from "../../aws/read-metrics.ts";
import { countOf } from "../../base/count-of.ts";
import { planHint } from "../../chat/lacks-feature.ts";
import { isHeldBack, triggerOf } from "../../effects/health/breaker.ts";
import { pauseWord } from "../../effects/health/pause-settings.ts";
import { createShadowStore } from "../../effects/shadow/shadow-settings.ts";
import { countConversations } from "../../queue/lanes/lane-record.ts";
import { openLaneStores } from "../../queue/lanes/lane-store.ts";
import { outageRooms } from "../../queue/lanes/outage-room.ts";
import { type OutageWaiting, readOutageWaiting } from "../../queue/lanes/outage-waiting.ts";
import { createPauseStore, listPauses } from "../../queue/pauses/pause-store.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Check, type Found, lookWithin, ok, unknown, wrong } from "./run-checks.ts";

export function queueChecks(services: DoctorServices): readonly Check[] {
  const { callAws, queueUrls, remedies, now } = services;
  return [
    {
      name: "queue",
      run: async () => {
        const [{ waiting, taken }, oldest] = await Promise.all([
          readQueueCounts(callAws, queueUrls.events),
          readOldest(callAws, queueUrls.events, now()),
        ]);
        const backlog = backlogOf({ waiting, oldestSeconds: oldest?.[1] });
        const waits = `${countOf(waiting, "event waits", "events wait")} and ${countOf(taken, "is", "are")} being handled`;
        return backlog === undefined
          ? ok(`${waits}.`)
          : wrong(`${waits}. ${backlog}`, remedies.warningsOf("processEvents"));
      },
    },
    {
      name: "dead-letters",
      run: async () => {
        const count = await readQueueDepth(callAws, queueUrls.deadLetters);
        return count === 0 ? ok("No event is dead-lettered.") : reportDeadLetters(count, services);
      },
    },
    {
      name: "quarantine",
      run: async () => {
        const count = await readQueueDepth(callAws, queueUrls.quarantine);
        return count === 0
          ? ok("No delivery is in quarantine.")
          : wrong(
              `${countOf(count, "unreadable delivery is", "unreadable deliveries are")} in quarantine.`,
              remedies.listQuarantine,
            );
      },
    },
  ];
}

async function reportDeadLetters(count: number, { remedies, groupDeadLetters, sleep }: DoctorServices) {
  // Without the permission or the time, dead letters are still reported.
  const looked = groupDeadLetters && (await lookWithin(groupDeadLetters, groupingMs, sleep));
  const groups = looked === undefined || "status" in looked ? [] : looked;
  const reported = groups.slice(0, mostGroups);
  const others = count - reported.reduce((sum, group) => sum + group.count, 0);
  const findings = reported.map(({ name, count: ofGroup, trigger, appId, cause, reason }) => {
    // SQS may have moved a message that is no event and names no app.
    const of = [trigger, appId && `app ${appId}`].filter((known) => known !== "").join(", ");
    const what = `${countOf(ofGroup, "dead letter")} (${reason})${of && ` of ${of}`}`;
    const plan = cause.includes("ERR_FEATURE_NOT_ACCESSIBLE") ? ` ${planHint}` : "";
    return wrong(`${what}: ${cause}${plan}`, remedies.listCause(name));
  });
  if (others <= 0) return findings;
  const what = reported.length > 0 ? "more dead letter" : "dead letter";
  return [...findings, wrong(`${countOf(others, what)} in the queue.`, remedies.listDeadLetters)];
}

const mostGroups = 5;
/** Half of a check's time. */
export const groupingMs = 10_000;

/** Equals the limit of infrastructure/alarms.yml. A failing lane waits on the table, not here. */
const longestSeconds = 600;

export function backlogOf({
  waiting,
  oldestSeconds = 0,
}: {
  readonly waiting: number;
  readonly oldestSeconds?: number | undefined;
}): string | undefined {
  if (waiting === 0 || oldestSeconds <= longestSeconds) return undefined;
  return `The oldest event waits for ${countOf(Math.round(oldestSeconds / 60), "minute")}.`;
}

interface QueuedEvents {
  /** In the queue or in hand. */
  readonly count: number;
  /** An upper bound; undefined if the queue is empty or SQS has no figure. */
  readonly oldestMs: number | undefined;
}

/** @throws AwsCallError */
export async function readQueuedEvents(
  callAws: AwsCaller,
  queueUrl: string,
  nowMs: number,
): Promise<QueuedEvents> {
  const { waiting, taken } = await readQueueCounts(callAws, queueUrl);
  const count = waiting + taken;
  if (count === 0) return { count, oldestMs: undefined };
  const newest = await readOldest(callAws, queueUrl, nowMs).catch(() => undefined);
  return { count, oldestMs: newest && (newest[0] - newest[1]) * 1000 };
}

const mostLooked = 100;
/** A retry often ends a shorter wait. */
const graceMs = 10_000;
/** If no conversation waits, callers gave up requests that failed for this long. */
const unsettledMs = 60_000;

/** @throws AwsCallError */
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
    ({ outage: { destination, sinceMs } }) => !isHeldBack(destination) && now() - sinceMs <= unsettledMs,
  );
  if (failing.length === 0) return [ok("No conversation waits for a host.")];
  return failing.map(({ outage: { destination, sinceMs } }) => {
    const fails =
      triggerOf(destination) === undefined
        ? `Requests to ${destination} fail`
        : `The ${destination} hangs or crashes`;
    return unknown(
      `${fails} since ${new Date(sinceMs).toISOString().slice(11, 19)}; no conversation is known to wait for it.`,
      remedies.logs(appId),
    );
  });
}

function judge(
  appId: string,
  { of, laneIds, isAll, oldestMs, cause, isWatched }: OutageWaiting,
  { now, remedies }: Pick<DoctorServices, "now" | "remedies">,
): Found {
  const waitedMs = now() - oldestMs;
  const count = countConversations(laneIds);
  const what = `${isAll ? "" : "At least "}${countOf(count, "conversation waits", "conversations wait")}`;
  const { destination } = of.outage;
  const isHost = triggerOf(destination) === undefined;
  const isHeld = isHeldBack(destination);
  const fault = isHeld ? "failed permanently for too many events" : "hangs or crashes";
  const awaited = isHost ? destination : `the ${destination}, which ${fault}`;
  const next = isWatched
    ? `${isHeld ? "Each tries again within 15 min, and all continue" : "All continue"} within a minute of ${isHost ? "its first answer" : "the first event that it handles"}. If it ${isHost ? "answers" : "works"} by now, wake them immediately: ${remedies.wake(appId)}.`
    : `Nothing has looked after them for 90 s: wake them when it ${isHost ? "answers" : "works"}.`;
  const says = `${what} for ${awaited}, the first for ${spanOf(waitedMs)}. ${next}${cause === undefined ? "" : ` Cause: ${cause}`}`;
  const remedy = isWatched ? remedies.logs(appId) : remedies.wake(appId);
  return waitedMs < graceMs ? unknown(says, remedy) : wrong(says, remedy);
}

function spanOf(ms: number) {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Reports no problem, as an operator wants a pause. @throws AwsCallError, PauseSettingError */
export async function checkPaused(
  appId: string,
  services: DoctorServices,
  facts: DeployedFacts | undefined,
): Promise<readonly Found[]> {
  const [pauses, shadowed] = await Promise.all([
    readPauses(appId, services),
    readShadowed(appId, services, facts),
  ]);
  const { resume } = services.remedies;
  const found = pauses.map(({ target, sinceMs, untilMs, by, reason }): Found => {
    const span = `since ${shown(sinceMs)} until ${shown(untilMs)}`;
    const order = `by ${by}${reason === undefined ? "" : `: ${reason}`}`;
    if (target.kind === "lease")
      return ok(`A listener acts in the deployment's place, ${span}, ordered ${order}.`);
    if (target.kind === "app") return ok(`The app is paused ${span}, ${order}.`, resume(`app:${appId}`));
    return ok(
      `The ${target.kind} ${target.name} is paused ${span}, ${order}.`,
      resume(`${pauseWord(target)} --app ${appId}`),
    );
  });
  if (found.length > 0) return found;
  return [
    ok(
      `Nothing is paused${shadowed.length === 0 ? "" : `; only showing what they would do: ${shadowed.join(", ")}`}.`,
    ),
  ];
}

export async function isAppPaused(appId: string, services: DoctorServices): Promise<boolean> {
  return (await readPauses(appId, services)).some(
    ({ target }) => target.kind === "app" || target.kind === "lease",
  );
}

async function readPauses(appId: string, { lanes, now }: DoctorServices) {
  const store = createPauseStore(lanes, now, () => "");
  return listPauses(await store.read(appId), now());
}

async function readShadowed(appId: string, { lanes }: DoctorServices, facts: DeployedFacts | undefined) {
  const { set } = await createShadowStore(lanes).read(appId);
  const deployed =
    facts?.triggers.filter(({ isShadowed }) => isShadowed).map(({ name }) => `trigger ${name}`) ?? [];
  const names = new Set([...deployed, ...set.keys()]);
  return [...names].filter((name) => set.get(name) ?? deployed.includes(name)).toSorted();
}

function shown(moment: number) {
  return `${new Date(moment).toISOString().slice(0, 16)}Z`;
}
