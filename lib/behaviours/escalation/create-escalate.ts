import { durationMs } from "../../base/config-fields.ts";
import type { TextMessage } from "../../effects/messages/send-text.ts";
import type { AppEventOf } from "../../events/app-event.ts";
import { checkSettings, onTrigger, type SettingsSource, type Trigger } from "../../handle/on-trigger.ts";
import type { EscalationRules } from "./escalation-rules.ts";

/**
 * Notifies moderators of blocked and unjudged messages. Never throws by itself: invalid rules fail their
 * events.
 */
export function createEscalate(settings: SettingsSource<EscalationRules>): Trigger {
  checkSettings("createEscalate", settings);
  return onTrigger(
    ["moderation_engine_blocked", "moderation_engine_failed", "message_sent"],
    { where: { from: "anybody" }, settings },
    async ({ event, effects, explain, log, ageMs, passOver, settings: rules }) => {
      const maxAgeMs = rules.maxAge === undefined ? Number.POSITIVE_INFINITY : durationMs(rules.maxAge);
      const found = describeCase(event);
      if (found === undefined) return explain("the moderation did not block the message");
      const summary = decideEscalation(found, rules);
      if (summary === undefined) return explain(`config/escalate.yml does not report it (${found.outcome})`);
      if (ageMs > maxAgeMs) return passOver("too-old", maxAgeMs);
      if ("message" in event && (await effects.isOwn(event.message))) return passOver("own-message");
      const { id } = await effects.sendText("summary", summary, { isRemembered: true });
      log.info("notified the moderators", {
        appId: event.head.appId,
        about: found.message.id,
        messageId: id,
      });
    },
  );
}

/**
 * Skips the notifier's own messages in the moderators' group: a blocked summary would cause another,
 * endlessly.
 */
function decideEscalation(
  { outcome, message, summary, link }: ModerationCase,
  { enabled, group, as, on }: EscalationRules,
): TextMessage | undefined {
  const { sender, receiverType, receiver, conversationId } = message;
  const isThere =
    receiver === undefined
      ? conversationId === `group_${group}`
      : receiverType !== "user" && receiver === group;
  const isOwn = isThere && (sender ?? as) === as;
  if (!enabled || !on.includes(outcome) || isOwn) return undefined;
  return {
    receiver: group,
    receiverType: "group",
    onBehalfOf: as,
    text: summary,
    metadata: { moderation: { outcome, ...link } },
  };
}

/** Ids and rules, never a message's text. */
interface ModerationCase {
  readonly outcome: "blocked" | "failed";
  readonly message: {
    readonly id: string;
    readonly sender?: string | undefined;
    readonly receiver?: string | undefined;
    readonly receiverType?: string | undefined;
    readonly conversationId?: string | undefined;
  };
  readonly summary: string;
  readonly link: Readonly<Record<string, string | string[]>>;
}

type CaseEvent = AppEventOf<"moderation_engine_blocked" | "moderation_engine_failed" | "message_sent">;

function describeCase(event: CaseEvent): ModerationCase | undefined {
  switch (event.trigger) {
    case "moderation_engine_failed": {
      const { resource, contentType = "message", outcome = "decided", failures } = event;
      const rules = failures.flatMap(({ context }) => context?.rule ?? []);
      const causes = [...new Set(failures.map(({ category }) => category))].join(", ") || "unknown";
      const summary =
        `The moderation could not judge ${place(contentType, resource)}: ${causes}. ` +
        `It was ${outcome} all the same.${ruleText(rules)}`;
      return { outcome: "failed", message: resource, summary, link: linkOf(resource, rules) };
    }
    case "moderation_engine_blocked": {
      const { message, matches, ruleId } = event;
      const named = matches.flatMap(({ rule }) => rule ?? []);
      const rules = named.length === 0 && ruleId !== undefined ? [{ id: ruleId }] : named;
      return blocked(message, rules);
    }
    case "message_sent": {
      // Observed live: a blocked message is not reported as sent
      // (docs/internals/platform/events.md#what-fires-message_sent).
      const { moderation } = event.message.data;
      if (moderation?.status !== "disapproved") return undefined;
      return blocked(event.message, moderation.rule === undefined ? [] : [moderation.rule]);
    }
  }
}

type Rule = { readonly id?: string | undefined; readonly name?: string | undefined };
type Message = ModerationCase["message"] & { readonly type?: string | undefined };

function blocked(message: Message, rules: readonly Rule[]): ModerationCase {
  const { type = "" } = message;
  const kind = /^[\w-]{1,30}$/.test(type) ? type : "message";
  const summary = `The moderation blocked ${place(kind, message)}.${ruleText(rules)}`;
  return { outcome: "blocked", message, summary, link: linkOf(message, rules) };
}

function place(type: string, { id, sender, receiver, receiverType }: Message) {
  const where = receiverType === "group" ? `in the group ${receiver ?? "?"}` : `to ${receiver ?? "?"}`;
  return `${type} ${id} from ${sender ?? "?"} ${where}`;
}

function ruleText(rules: readonly Rule[]) {
  const named = rules.map(({ id, name }) => (name === undefined ? (id ?? "?") : `“${name}” (${id ?? "?"})`));
  if (named.length === 0) return "";
  return ` ${named.length === 1 ? "Rule" : "Rules"}: ${[...new Set(named)].join(", ")}.`;
}

function linkOf({ id, conversationId, sender }: Message, rules: readonly Rule[]) {
  return {
    messageId: id,
    ...(conversationId && { conversationId }),
    ...(sender && { sender }),
    ruleIds: [...new Set(rules.flatMap((rule) => rule.id ?? []))],
  };
}
