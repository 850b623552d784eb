import type { AppEventOf } from "../../events/app-event.ts";

/** Ids and rules, never a message's text. */
export interface ModerationCase {
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

export function describeCase(event: CaseEvent): ModerationCase | undefined {
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
  const summary = `The moderation blocked ${place(message.type ?? "message", message)}.${ruleText(rules)}`;
  return { outcome: "blocked", message, summary, link: linkOf(message, rules) };
}

function place(type: string, { id, sender, receiver, receiverType }: Message): string {
  const where = receiverType === "group" ? `in the group ${receiver ?? "?"}` : `to ${receiver ?? "?"}`;
  return `${type} ${id} from ${sender ?? "?"} ${where}`;
}

function ruleText(rules: readonly Rule[]): string {
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
