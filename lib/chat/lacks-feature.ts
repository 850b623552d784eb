import { isChatApiError } from "./error-guards.ts";
import type { ChatApiError } from "./errors.ts";

/**
 * Detects that the app's plan or the platform lacks the operation, which no key or retry fixes
 * (docs/internals/platform/answers-and-errors.md#error-codes).
 * @param byStatus also without such a code, as AI agents' refusals have none: only where the refusal is shown
 */
export function lacksFeature(error: unknown, { byStatus = false } = {}): error is ChatApiError {
  if (!isChatApiError(error)) return false;
  const { code, status } = error;
  if (/^ERR_(FEATURE_NOT_ACCESSIBLE|API_NOT_FOUND|PLAN_RESTRICTION)$/.test(code)) return true;
  return byStatus && [200, 402, 403, 404].includes(status) && !/^(AUTH_|ERR_PERMISSION_DENIED)/.test(code);
}

export function describeLack({ operation, status, code }: ChatApiError): string {
  return `The platform refuses the feature (${operation}: ${status} ${code}).`;
}

export const declareNone = "declare an empty list in config/app/, such as `reasons: []`.";

export const subscriptionHint = "Renew the app's subscription in the CometChat dashboard.";

export const planHint = "See in the CometChat dashboard whether the app's plan includes it.";
