import { latestIn, readMetrics } from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { pause } from "../../lib/base/timers.ts";
import { deadLettering } from "../../lib/effects/health/breaker.ts";
import { appChecks } from "../../lib/operate/doctor/app-checks.ts";
import { backlogOf } from "../../lib/operate/doctor/check-queues.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { DoctorServices } from "../../lib/operate/doctor/doctor-services.ts";
import {
  type CheckName,
  checkNames,
  lookWithin,
  runChecks,
  type Unknown,
} from "../../lib/operate/doctor/run-checks.ts";
import { passedOverReason } from "../../lib/queue/send-dead-letter.ts";
import { lookLimits } from "../doctor/doctor-of-target.ts";
import type { Status } from "./status.ts";

export const mostAsked = 30;

const shownApart: readonly CheckName[] = [
  "queue",
  "dead-letters",
  "quarantine",
  "failing",
  "paused",
  "waiting",
];

/** Run for each app, whatever the metrics say: five requests. */
const cheap: readonly CheckName[] = ["secret", "key", "webhook"];

const checkOfMetric: Readonly<Record<string, CheckName>> = {
  ApiKeyRefused: "key",
  AppIdMismatch: "deliveries",
  DeliveryNotStored: "deliveries",
  DeliveryUnauthorized: "deliveries",
  QuestionUnauthorized: "deliveries",
};

/** Checks secrets, keys and webhooks, and repeats checks that the last hour's metrics blame. */
export async function lookAgain(
  services: DoctorServices,
  facts: DeployedFacts | undefined,
  { apps, doctor }: Pick<Status, "apps" | "doctor">,
  limits: { readonly limitMs: number; readonly signal: AbortSignal },
) {
  const failed = await readFailedChecks(services, doctor);
  const asked = apps.length > mostAsked ? [] : apps;
  const checks = asked.flatMap(({ appId, failing = [] }) => {
    const isBlamed = failed.length > 0 || failing.length > 0;
    const all = appChecks(appId, services, { facts, canary: undefined, isForOperator: true });
    return all.filter(({ name }) => (isBlamed ? !shownApart.includes(name) : cheap.includes(name)));
  });
  const findings = await runChecks(checks, { ...lookLimits, ...limits, sleep: services.sleep });
  const isKnown = (check: CheckName | undefined, appId?: string) =>
    findings.some(
      (one) =>
        one.check === check &&
        (one.status !== "unknown" || one.because === "no event") &&
        (appId ?? one.appId) === one.appId,
    );
  const canaryIsOver = async () => {
    if (facts === undefined) return false;
    const sinceMs = Date.parse(doctor?.at ?? "");
    const handled = facts.canaries.map(({ appId }) => services.recentLogs?.hasHandled(appId, sinceMs));
    return (await Promise.all(handled)).every(Boolean);
  };
  const unsettled: string[] = [];
  for (const check of failed) {
    const isOver = check === "canary" ? await canaryIsOver() : isKnown(check);
    if (!isOver) unsettled.push(check);
  }
  return {
    wrong: findings.flatMap(({ appId, status, says, ...one }) =>
      status === "wrong" ? [{ ...one, status, says: `App ${appId}: ${says}` }] : [],
    ),
    unseen: findings.flatMap((one) => (one.status === "unknown" && one.because !== undefined ? [one] : [])),
    unsettled,
    isFailing: (appId: string, metric: string) => !isKnown(checkOfMetric[metric], appId),
    tooOld: await countTooOld(apps, services),
  };
}

/** Counts by app. Reading hides dead letters briefly: only for apps that had one within the hour. */
async function countTooOld(apps: Status["apps"], { groupDeadLetters }: DoctorServices) {
  const asked = apps.flatMap(({ appId, failures }) => ((failures?.EventTooOld ?? 0) > 0 ? [appId] : []));
  const groups = asked.length === 0 ? [] : await groupDeadLetters?.().catch(() => []);
  const counts = new Map<string, number>();
  for (const { appId, reason, count } of groups ?? []) {
    if (reason === passedOverReason && asked.includes(appId))
      counts.set(appId, (counts.get(appId) ?? 0) + count);
  }
  return counts;
}

async function readFailedChecks(
  { callAws, secretPrefix: deployment, now }: DoctorServices,
  doctor: Status["doctor"],
) {
  if (doctor === undefined || doctor.failed === 0) return [];
  const names = checkNames.filter((check) => !shownApart.includes(check));
  const queries = names.map((check) => ({
    namespace: metricNamespace,
    name: "DoctorFailed",
    dimensions: { deployment, check },
    stat: "Maximum" as const,
  }));
  const series = await readMetrics(callAws, queries, { fromMs: Date.parse(doctor.at), toMs: now() });
  return names.filter((_, index) => latestIn(series[index] ?? []) !== undefined);
}

export type Look = ReturnType<typeof openLooks>["look"];

/** Shared by all steps. Each begins with its predecessor's findings. */
const mostMs = 45_000;
const endsMs = { functions: 10_000, deployment: 20_000, apps: 32_000, again: mostMs };

export function openLooks({ sleep = pause, now = Date.now } = {}) {
  const startedAt = now();
  const unseen = new Map<string, Status["notLookedAt"][number]>();
  const name = (what: string, { says, because, remedy: type }: Omit<Unknown, "status">) =>
    unseen.set(`${what} ${says}`, { what, why: says, because, type });
  const leftMs = (step: keyof typeof endsMs) => Math.max(0, startedAt + endsMs[step] - now());
  return {
    name,
    leftMs,
    look: async <Result, Without>(
      step: keyof typeof endsMs,
      what: string,
      read: () => Promise<Result>,
      without: Without,
    ): Promise<Result | Without> => {
      const looked = await lookWithin(async () => ({ found: await read() }), leftMs(step), sleep);
      if ("found" in looked) return looked.found;
      name(what, looked);
      return without;
    },
    unseen: () => [...unseen.values()],
  };
}

export function findTroubles(
  { doctor, queues, functions, apps }: Pick<Status, "doctor" | "queues" | "functions" | "apps">,
  wrong: readonly { readonly says: string; readonly remedy?: string | undefined }[],
  {
    unsettled,
    isFailing,
    tooOld,
  }: Pick<Awaited<ReturnType<typeof lookAgain>>, "unsettled" | "isFailing" | "tooOld">,
  target: string,
): Status["troubles"] {
  const count = (queue: string) => {
    const found = queues.find((one) => one.queue === queue);
    return (found?.waiting ?? 0) + (found?.taken ?? 0);
  };
  const troubles: Status["troubles"] = wrong.map(({ says, remedy }) => ({ says, type: remedy }));
  const add = (says: string, type: string) =>
    troubles.push({ says, type: `npx cometchat-functions ${type} ${target}` });
  if (doctor !== undefined && unsettled.length > 0)
    add(
      `The scheduled doctor found a problem at ${doctor.at.slice(0, 16)}Z: ${unsettled.join(", ")}.`,
      unsettled.includes("canary") ? "doctor --canary" : "doctor",
    );
  const others = count("dead letters") - [...tooOld.values()].reduce((sum, one) => sum + one, 0);
  if (others > 0) add(`Dead-lettered events: ${others}.`, "dead-letters list");
  if (count("quarantine") > 0)
    add(`Quarantined deliveries: ${count("quarantine")}.`, "dead-letters list --quarantine");
  const events = queues.find(({ queue }) => queue === "events");
  const backlog = events && backlogOf(events);
  if (backlog !== undefined) add(backlog, "logs --function processEvents --level warn");
  for (const { function: name, throttles, isThrottledNow } of functions) {
    if (isThrottledNow)
      add(`${name} was throttled ${countOf(throttles, "time")} in the last hour.`, "doctor");
  }
  for (const { appId, closed, failures = {}, failing = [] } of apps) {
    for (const destination of closed) {
      add(
        destination === deadLettering
          ? `App ${appId}: more than 20 events a minute were dead-lettered; others are held back, at most 24 h.`
          : `App ${appId}: the breaker of ${destination} is open; it is probed occasionally.`,
        `logs --app ${appId} --level warn`,
      );
    }
    const skipped = tooOld.get(appId);
    if (skipped !== undefined) {
      add(
        `App ${appId}: ${countOf(skipped, "event was", "events were")} skipped as too old.`,
        `dead-letters list --app ${appId} --text ${passedOverReason}`,
      );
    }
    for (const metric of failing.filter((one) => isFailing(appId, one))) {
      const number = failures[metric];
      add(
        `App ${appId}: ${metric} ${number} in the last hour.`,
        `logs --app ${appId} --level warn --since 1h`,
      );
    }
  }
  return troubles;
}
