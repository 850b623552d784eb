import { latestIn, readMetrics } from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { appChecks } from "../../lib/operate/doctor/app-checks.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { DoctorServices } from "../../lib/operate/doctor/doctor-services.ts";
import { type CheckName, checkNames } from "../../lib/operate/doctor/finding.ts";
import { runChecks } from "../../lib/operate/doctor/run-checks.ts";
import { passedOverReason } from "../../lib/queue/send-dead-letter.ts";
import { lookLimits } from "../doctor/doctor-of-target.ts";
import type { Status } from "./status.ts";

/** With more apps, it takes too long. */
export const mostAsked = 30;

/** Status shows them in its own words. */
const shownApart: readonly CheckName[] = [
  "queue",
  "dead-letters",
  "quarantine",
  "failing",
  "paused",
  "waiting",
];

/** Asked of each app, whatever is blamed: five requests. */
const cheap: readonly CheckName[] = ["secret", "key", "webhook"];

/** What shows whether a metric's cause is mended. */
const checkOfMetric: Readonly<Record<string, CheckName>> = {
  ApiKeyRefused: "key",
  AppIdMismatch: "deliveries",
  DeliveryNotStored: "deliveries",
  DeliveryUnauthorized: "deliveries",
};

/**
 * Checks secrets, keys and webhooks, and again what the metrics of the last hour blame: it may be mended.
 * @returns what is wrong now, what could not be checked again, and dead letters that became too old
 */
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

/**
 * Dead letters by app that triggers skipped as too old. Reading hides dead letters briefly: only for apps
 * that had one within the hour. Without the right to read them, they are counted with the others.
 */
async function countTooOld(
  apps: Status["apps"],
  { groupDeadLetters }: DoctorServices,
): Promise<ReadonlyMap<string, number>> {
  const asked = apps.flatMap(({ appId, failures }) => ((failures?.EventTooOld ?? 0) > 0 ? [appId] : []));
  const groups = asked.length === 0 ? [] : await groupDeadLetters?.().catch(() => []);
  const counts = new Map<string, number>();
  for (const { appId, reason, count } of groups ?? []) {
    if (reason === passedOverReason && asked.includes(appId))
      counts.set(appId, (counts.get(appId) ?? 0) + count);
  }
  return counts;
}

/** At the scheduled doctor's last run. */
async function readFailedChecks(
  { callAws, secretPrefix: deployment, now }: DoctorServices,
  doctor: Status["doctor"],
): Promise<readonly CheckName[]> {
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
