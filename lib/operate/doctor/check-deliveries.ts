import { type MetricRange, readMetrics } from "../../aws/read-metrics.ts";
import { metricNamespace } from "../../base/count-metric.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";
import type { Remedies } from "./remedies.ts";

/** Counters of failed deliveries. */
const troubles: readonly {
  readonly metric: string;
  readonly says: (count: number) => string;
  readonly remedy: (remedies: Remedies, appId: string) => string;
}[] = [
  {
    metric: "DeliveryUnauthorized",
    says: (count) =>
      `The receiver refused ${count} deliveries: their user name, password or signature is not the secret's.`,
    remedy: (remedies, appId) => remedies.setUpApp(appId),
  },
  {
    metric: "DeliveryNotStored",
    says: (count) => `The receiver could not store ${count} deliveries.`,
    remedy: (remedies, appId) => remedies.logs(appId),
  },
  {
    metric: "TwoWebhooks",
    says: () => "Two webhooks deliver the same trigger: each event comes twice.",
    remedy: () => "In the dashboard, Webhooks, switch one of the two off",
  },
  {
    metric: "TwoEngines",
    says: () => "The legacy engine and the current one both deliver: a message comes as two events.",
    remedy: () => "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
  },
  {
    metric: "AppIdMismatch",
    says: (count) => `${count} deliveries name another app than the webhook's address.`,
    remedy: (remedies, appId) => remedies.setUpApp(appId),
  },
  {
    metric: "QuestionAtWebhooks",
    says: () => "The platform sends its questions to the webhooks' address, where they are not answered.",
    remedy: () => "In the dashboard, give the question its own address: docs/deploy.md names it",
  },
];

/**
 * Of the last hour, unless the app's webhooks were changed, or an event of the app was handled, after the
 * latest: then it may be fixed.
 * @throws AwsCallError
 */
export async function checkDeliveries(
  appId: string,
  { callAws, remedies, now, recentLogs }: DeliveriesServices,
  webhooks: readonly Pick<Webhook, "updatedAt">[],
): Promise<readonly Found[]> {
  const changedAtMs = changedAtMsOf(webhooks, { now });
  const range = { fromMs: Math.max(now() - hourMs, changedAtMs - (changedAtMs % minuteMs)), toMs: now() };
  const nothing = ok("Nothing is counted against the deliveries of the last hour.");
  if (range.fromMs >= range.toMs) return [nothing];
  const counts = await countsOf(appId, callAws, range);
  const isOver = async (metric: string, latestMs: number) => {
    const untilMs = latestMs + minuteMs;
    // Metrics are by the minute, log lines are not.
    if (latestMs < changedAtMs && !(await recentLogs?.hasCounted(appId, metric, changedAtMs, untilMs)))
      return true;
    return (await recentLogs?.hasHandled(appId, untilMs)) ?? false;
  };
  const found: Found[] = [];
  for (const [index, { metric, says, remedy }] of troubles.entries()) {
    const { count = 0, latest = 0 } = counts[index] ?? {};
    if (count === 0 || (await isOver(metric, latest * 1000))) continue;
    const when = new Date(latest * 1000).toISOString().slice(11, 16);
    found.push(wrong(`${says(count)} The latest: ${when}Z.`, remedy(remedies, appId)));
  }
  return found.length > 0 ? found : [nothing];
}

/** In whole seconds, of which the last belongs to before. A time in the future is not in seconds: ignored. */
export function changedAtMsOf(
  webhooks: readonly Pick<Webhook, "updatedAt">[],
  { now }: Pick<DoctorServices, "now">,
): number {
  const times = webhooks.map(({ updatedAt = 0 }) => (updatedAt + 1) * 1000);
  return Math.max(0, ...times.filter((at) => at <= now() + minuteMs));
}

type DeliveriesServices = Pick<DoctorServices, "callAws" | "remedies" | "now" | "recentLogs">;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** @throws AwsCallError */
export async function countRefused(
  appId: string,
  callAws: DoctorServices["callAws"],
  range: MetricRange,
): Promise<number> {
  const [refused] = await countsOf(appId, callAws, range);
  return refused?.count ?? 0;
}

async function countsOf(appId: string, callAws: DoctorServices["callAws"], range: MetricRange) {
  const series = await readMetrics(
    callAws,
    troubles.map(({ metric }) => ({
      namespace: metricNamespace,
      name: metric,
      dimensions: { appId },
      stat: "Sum" as const,
    })),
    range,
  );
  return series.map((values) => ({
    count: values.reduce((sum, [, value]) => sum + value, 0),
    latest: values.reduce<number | undefined>(
      (latest, [minute, value]) => (value > 0 && minute > (latest ?? 0) ? minute : latest),
      undefined,
    ),
  }));
}
