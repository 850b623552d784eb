import { type MetricRange, readMetrics, sumOf } from "../../aws/read-metrics.ts";
import { metricNamespace } from "../../base/count-metric.ts";
import { countOf } from "../../base/count-of.ts";
import { lazy } from "../../base/lazy.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import type { DoctorServices, RecentLogs } from "./doctor-services.ts";
import type { Remedies } from "./remedies.ts";
import { type Found, ok, unknown, without, wrong } from "./run-checks.ts";

function deliveries(count: number) {
  return countOf(count, "delivery", "deliveries");
}

/** Count losses, unless the platform's retries within 40 s arrived. */
const lossMetrics = ["DeliveryUnauthorized", "DeliveryNotStored"];
/** Occur in apps whose events are handled all the time. */
const besideEvents = [
  "TwoWebhooks",
  "TwoEngines",
  "AppIdMismatch",
  "QuestionAtWebhooks",
  "QuestionUnauthorized",
];

function troublesOf(appId: string, { setUpApp, logs }: Remedies, setUp = setUpApp(appId)) {
  return [
    {
      metric: "DeliveryUnauthorized",
      says: (count: number) =>
        `The receiver refused ${deliveries(count)}: the user name, password or signature is not the secret's.`,
      partly: ` ${meanwhile}: a bot, an extension or a notification provider may send the refused ones.`,
      remedy: setUp,
    },
    {
      metric: "DeliveryNotStored",
      says: (count: number) => `The receiver could not store ${deliveries(count)}.`,
      partly: ` ${meanwhile}.`,
      remedy: logs(appId),
    },
    {
      metric: "TwoWebhooks",
      says: () => "Two webhooks deliver the same trigger: each event comes twice.",
      remedy: "In the dashboard, Webhooks, switch one of the two off",
    },
    {
      metric: "TwoEngines",
      says: () => "The legacy engine and the current one both deliver: a message comes as two events.",
      remedy: "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
    },
    {
      metric: "AppIdMismatch",
      says: (count: number) =>
        `${countOf(count, "delivery names", "deliveries name")} another app than the webhook's address.`,
      remedy: setUp,
    },
    {
      metric: "QuestionAtWebhooks",
      says: () => "The platform sends its questions to the webhooks' address, where they are not answered.",
      remedy:
        "In the dashboard, give the question its own address: docs/triggers.md#questions-that-the-platform-waits-for names it",
    },
    {
      metric: "QuestionUnauthorized",
      says: (count: number) =>
        `${countOf(count, "question was", "questions were")} refused: the user name, password or signature is not the secret's.`,
      remedy:
        "In the dashboard, enter the secret's at the moderation service or the extension: docs/triggers.md#credentials-of-each-family",
    },
  ];
}

const meanwhile = "Others were handled meanwhile";

/** True if a delivery handled afterwards ends a finding of `checkDeliveries`. */
export function endsWithDelivery(says: string): boolean {
  return /^The receiver (?:refused|could not store) /.test(says) && !says.includes(meanwhile);
}

export interface Fixes {
  /** Metrics whose cause the platform's settings exclude. */
  readonly over: readonly string[];
  /** The last change of the app's webhooks or webhook secret, in milliseconds since 1970. */
  readonly changedAtMs: number;
  /** Webhooks show whole seconds: a failure in a change's second counts as caused by it. */
  readonly changedFromMs: number;
  /** False if webhooks could not be read, or none leads here: a later change is possible. */
  readonly isKnown: boolean;
  /** Replaces setup, which changes no webhook of the legacy engine. */
  readonly remedy?: string;
}

interface Counted {
  readonly metric: string;
  /** The minutes of the first and the latest count, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly latestMs: number;
}

/**
 * An event handled afterwards shows that failures are over only if none was between them: bots and extensions
 * use the webhook's credentials, too. Otherwise, time does.
 */
export async function isOver(
  appId: string,
  { metric, firstMs, latestMs }: Counted,
  hasHandled: RecentLogs["hasHandled"],
  nowMs: number,
): Promise<boolean> {
  if (!(await hasHandled(appId, latestMs + minuteMs))) return false;
  if (nowMs >= latestMs + minuteMs + quietMs) return true;
  return !besideEvents.includes(metric) && !(await isPartly(appId, { firstMs, latestMs }, hasHandled));
}

async function isPartly(
  appId: string,
  { firstMs, latestMs }: Omit<Counted, "metric">,
  hasHandled: RecentLogs["hasHandled"] = async () => false,
): Promise<boolean> {
  return latestMs > firstMs + minuteMs && (await hasHandled(appId, firstMs + minuteMs, latestMs));
}

/**
 * Checks the last hour. A failure before a change of webhooks or secret, or one that is over, is not wrong,
 * and the lost messages can be handed over. Within a change's minute, only the logs show the order.
 * @throws AwsCallError
 */
export async function checkDeliveries(
  appId: string,
  { callAws, remedies, now, recentLogs }: DeliveriesServices,
  { over: known, changedFromMs, isKnown, remedy: legacyRemedy }: Fixes,
): Promise<readonly Found[]> {
  const judge = async (counted: Counted) => {
    const { metric, latestMs } = counted;
    const untilMs = latestMs + minuteMs;
    if (known.includes(metric)) return "mended";
    if (recentLogs && (await isOver(appId, counted, recentLogs.hasHandled, now()))) return "mended";
    if (untilMs <= changedFromMs) return "changed";
    if (latestMs >= changedFromMs) return "wrong";
    const isRefusedSince = await recentLogs?.hasCounted(appId, metric, changedFromMs, untilMs);
    if (isRefusedSince === undefined) return "unknown";
    return isRefusedSince ? "wrong" : "changed";
  };
  const losses = lazy(() => countLosses(appId, { callAws, recentLogs, now }));
  const found: Found[] = [];
  const troubles = troublesOf(appId, remedies, legacyRemedy);
  const metrics = troubles.map(({ metric }) => metric);
  const range = { fromMs: now() - hourMs, toMs: now() };
  for (const counted of await countMetrics(appId, callAws, metrics, range)) {
    const { metric, count, firstMs, latestMs } = counted;
    const trouble = troubles.find((one) => one.metric === metric);
    if (trouble === undefined) continue;
    const says = `${trouble.says(count)} The latest: ${new Date(latestMs).toISOString().slice(11, 16)}Z`;
    const verdict = await judge(counted);
    if (verdict === "wrong" || verdict === "unknown") {
      const { partly } = trouble;
      const isOfOthers = partly !== undefined && (await isPartly(appId, counted, recentLogs?.hasHandled));
      const judged = isKnown && verdict === "wrong" ? wrong : unknown;
      found.push(judged(`${says}.${isOfOthers ? partly : ""}`, trouble.remedy));
    } else if (lossMetrics.includes(metric)) {
      const { sinceMs = firstMs } = (await losses()) ?? {};
      const lost = `To hand over what was lost: ${remedies.handOver(appId, sinceOf(sinceMs, now()))}`;
      found.push(
        verdict === "mended"
          ? ok(`${says}, and is fixed. ${lost}`)
          : without(
              "no event",
              `${says}, before the webhook or its secret was changed; the next event shows whether that fixed it. ${lost}`,
            ),
      );
    }
  }
  return found.length > 0 ? found : [ok("No delivery of the last hour failed.")];
}

/**
 * Returns since when messages may be lost, as far as `reconcile` hands over, and whether failures are over,
 * if logs can be read.
 */
export async function countLosses(appId: string, { callAws, recentLogs, now }: LossServices) {
  const range = { fromMs: now() - handedOverMs, toMs: now() };
  const counted = await countMetrics(appId, callAws, lossMetrics, range);
  if (counted.length === 0) return undefined;
  const firstMs = Math.min(...counted.map((one) => one.firstMs));
  const lastMs = (await recentLogs?.lastDelivered(appId, firstMs)) ?? firstMs;
  return {
    sinceMs: lossesFrom(lastMs, now()),
    areOver: async () => {
      if (recentLogs === undefined) return false;
      const { hasHandled } = recentLogs;
      const over = await Promise.all(counted.map((one) => isOver(appId, one, hasHandled, now())));
      return over.every(Boolean);
    },
  };
}

interface LossServices extends Pick<DoctorServices, "callAws" | "now"> {
  readonly recentLogs: Pick<RecentLogs, "lastDelivered" | "hasHandled"> | undefined;
}

/** The platform's clock may be behind, and sets the time of messages. */
export function lossesFrom(lastMs: number, nowMs: number): number {
  return Math.max(lastMs - leewayMs, nowMs - handedOverMs);
}

/** `reconcile` accepts it: a time of five days ago would soon be too old. */
export function sinceOf(lostFromMs: number, nowMs: number): string {
  if (lostFromMs <= nowMs - handedOverMs) return `${handedOverMs / hourMs}h`;
  return new Date(Math.min(lostFromMs, nowMs - shortestMs)).toISOString().replace(/\.\d+/, "");
}

/** Ignores a future time, which is not in seconds. Returns whole seconds. */
export function changedAtMsOf(
  webhooks: readonly Pick<Webhook, "updatedAt">[],
  { now }: Pick<DoctorServices, "now">,
): number {
  const times = webhooks.map(({ updatedAt = 0 }) => (updatedAt + 1) * 1000);
  return Math.max(0, ...times.filter((at) => at <= now() + minuteMs));
}

type DeliveriesServices = Pick<DoctorServices, "callAws" | "remedies" | "now" | "recentLogs">;

const minuteMs = 60_000;
/** Without a count. */
const quietMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;
/** `reconcile` takes messages that are two minutes to five days old. */
const shortestMs = 5 * minuteMs;
const leewayMs = 5 * minuteMs;
const handedOverMs = (5 * 24 - 1) * hourMs;

/** Only counts above 0, with the minutes of their first and latest value. @throws AwsCallError */
export async function countMetrics(
  appId: string,
  callAws: DoctorServices["callAws"],
  metrics: readonly string[],
  range: MetricRange,
) {
  const queries = metrics.map((name) => ({
    namespace: metricNamespace,
    name,
    dimensions: { appId },
    stat: "Sum" as const,
  }));
  const series = await readMetrics(callAws, queries, range);
  return metrics.flatMap((metric, index) => {
    const counted = (series[index] ?? []).filter(([, count]) => count > 0);
    const minutesMs = counted.map(([minute]) => minute * 1000);
    const [firstMs, latestMs] = [Math.min(...minutesMs), Math.max(...minutesMs)];
    return counted.length === 0 ? [] : [{ metric, count: sumOf(counted), firstMs, latestMs }];
  });
}
