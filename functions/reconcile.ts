import type { Context } from "aws-lambda";
import { forRequest } from "../lib/base/log.ts";
import { buildReconcileServices, reconcileApps, toRefusal } from "../lib/operate/reconcile/reconcile-apps.ts";
import { readReconcileRequest } from "../lib/operate/reconcile/reconcile-request.ts";

/**
 * On a schedule, or by hand with `{"since": …}`: finds messages that no webhook delivered (docs/maintain.md).
 */
export async function handler(event: unknown, context: Context) {
  const { appIds, now } = services;
  const deadlineMs = now() + context.getRemainingTimeInMillis() - marginMs;
  try {
    const request = readReconcileRequest(event, appIds, now());
    return await reconcileApps(request, deadlineMs, forRequest(services, context.awsRequestId));
  } catch (error) {
    return toRefusal(error);
  }
}

const marginMs = 2_000;

const services = buildReconcileServices();
