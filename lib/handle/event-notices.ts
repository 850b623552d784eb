import { sha256Hex } from "../base/digest.ts";
import { createHint, type HintTools } from "../base/hint.ts";
import { retryWindowMs } from "../events/occurrence.ts";
import { readText } from "../events/read-path.ts";
import { reconcileWebhook } from "../events/reconcile-webhook.ts";
import { suggestTrigger } from "../events/suggest-trigger.ts";
import type { QueuedEvent } from "../queue/queued-event.ts";
import { createDetectAlternation } from "../receive/detect-alternation.ts";

/** Reports anomalies, even of handled events. Never throws. */
export type EventNotices = ReturnType<typeof createEventNotices>;

type Delivered = Pick<QueuedEvent, "appId" | "family" | "trigger" | "key" | "canRecur" | "receivedAt">;

const maxFacts = 1_000;

/**
 * Creates the notices. They know only this process's events, and the queue drops most repetitions within five
 * minutes: a single anomaly may be missed, a lasting one is not.
 */
export function createEventNotices(tools: HintTools) {
  const { now, count } = tools;
  const hint = createHint(tools);
  const noteEngine = createDetectAlternation(now);
  const facts = new Map<string, { readonly queueMessageId: string; readonly receivedAt: number }>();

  const noteFact = ({ appId, key, canRecur, receivedAt }: Delivered, queueMessageId: string): void => {
    const name = key.length > 100 ? sha256Hex(key) : key;
    const known = facts.get(name);
    const isRepeated =
      known !== undefined &&
      known.queueMessageId !== queueMessageId &&
      (canRecur !== true || Math.abs(receivedAt - known.receivedAt) <= retryWindowMs);
    if (isRepeated) count("DeliveryRepeated", { appId });
    else {
      facts.delete(name);
      facts.set(name, { queueMessageId, receivedAt });
      const [oldest] = facts.keys();
      if (facts.size > maxFacts && oldest !== undefined) facts.delete(oldest);
    }
  };

  const noteFamily = ({ appId, family, trigger }: Delivered): void => {
    if (family !== "webhook" && family !== "legacy") return;
    if (noteEngine(appId, family) === undefined) return;
    hint("TwoEngines", appId, "both engines deliver for one app: a message comes as two events", { trigger });
  };

  return {
    delivered: (
      event: Delivered,
      { queueMessageId, body }: { readonly queueMessageId: string; readonly body: unknown },
    ) => {
      // Reconcile repeats messages intentionally.
      if (readText(body, "webhook") === reconcileWebhook) return;
      noteFact(event, queueMessageId);
      noteFamily(event);
    },
    unknownTrigger: (appId: string, trigger: string) => {
      const suggestion = suggestTrigger(trigger)?.reason ?? "It may be new; only handlers of * see it.";
      const text = "got an event whose name is not in the catalogue";
      hint("TriggerUnknown", appId, text, { trigger, suggestion });
    },
    unknownShadow: (appId: string, triggerName: string) => {
      hint("ShadowUnknown", appId, "a trigger is set to be in shadow, and there is none of that name", {
        triggerName,
      });
    },
  };
}
