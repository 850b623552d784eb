import { isRecord, readText } from "../base/json.ts";
import { createHint, type HintTools } from "../base/log.ts";
import type { Identity } from "../events/identity.ts";
import { reconcileWebhook } from "../events/occurrence.ts";
import { createDetectAlternation } from "./detect-alternation.ts";

/** Reports anomalies of a delivery. Never throws. */
export type NoticeAnomalies = (
  delivery: { readonly appId: string; readonly isReplaced: boolean; readonly body: unknown },
  identity: Identity | undefined,
) => void;

/**
 * Reports only what later stages cannot see: of two webhooks' deliveries, the queue drops one silently, often
 * always the same one's.
 */
export function createNoticeAnomalies(tools: HintTools): NoticeAnomalies {
  const hint = createHint(tools);
  const detectAlternation = createDetectAlternation(tools.now);

  const noteWebhook = (appId: string, { family, trigger }: Identity, body: unknown): void => {
    const webhook = readText(body, "webhook");
    if (
      webhook === undefined ||
      webhook === reconcileWebhook ||
      (family !== "webhook" && family !== "legacy")
    )
      return;
    const other = detectAlternation(`${appId} ${trigger}`, webhook);
    if (other === undefined) return;
    const webhooks = [other, webhook].toSorted().join(", ").slice(0, 200);
    hint("TwoWebhooks", appId, "two webhooks deliver the same trigger for one app", { trigger, webhooks });
  };

  return ({ appId, isReplaced, body }, identity) => {
    if (isReplaced) {
      hint("ReplacedPasswordUsed", appId, "the platform still uses a password that was replaced");
    }
    if ((readText(body, "appId") ?? appId) !== appId) {
      hint("AppIdMismatch", appId, "a delivery names another app than its address; the address counts");
    }
    const isModeration = identity === undefined && isRecord(body) && "contextMessages" in body;
    if (isModeration || identity?.trigger === "before_message") {
      hint(
        "QuestionAtWebhooks",
        appId,
        "the platform sends a question to the webhook's address, which does not answer questions",
      );
    }
    if (identity !== undefined) noteWebhook(appId, identity, body);
  };
}
