import { isJsonObject } from "../json.ts";
import { type AppServices, type Moderator, nowSeconds } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import { putDocument } from "../store/documents.ts";
import { findGroup } from "../store/groups.ts";
import { type Message, type Verdict, withModeration } from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { type CustomAnswer, type CustomQuestion, evaluateRules, type Judgement } from "./evaluate.ts";
import type { Parties } from "./match-text.ts";
import { listKeywordLists, listRules, messageKinds } from "./moderation-store.ts";

/** Asks a customer's moderation service about a message. */
export type AskCustom = (
  services: AppServices,
  message: Message,
  question: CustomQuestion,
) => Promise<CustomAnswer>;

/**
 * Creates the moderator that knows the app's rules and keyword lists. A blocked message is noted for the list of
 * blocked ones; a rule with dropMessage leaves nothing of it (assumed).
 */
export function createModerator(askCustom: AskCustom): Moderator {
  return async (services, message) => {
    const rules = listRules(services).filter((rule) => rule.enabled);
    const parties = rules.length === 0 ? undefined : partiesOf(services, message);
    if (parties === undefined) return undefined;
    const judgement = await evaluateRules({
      rules,
      lists: new Map(listKeywordLists(services).map((list) => [list.id, list])),
      message,
      parties,
      nowSeconds: nowSeconds(services),
      ask: (question) => askCustom(services, message, question),
    });
    if (!judgement.isJudged) return undefined;
    const verdict = toVerdict(message, judgement);
    if (judgement.blocking !== undefined && verdict.isDropped !== true) {
      noteBlocked(services, withModeration(message, verdict), judgement.blocking);
    }
    return verdict;
  };
}

/** Gives the verdict on a message that no rule objects to. */
export function approval(message: Message): Verdict {
  return { outcome: "approved", entries: [], failures: [], contentType: contentTypeOf(message) };
}

/** Gives a message with another moderation status; the rule that decided stays unless the message passes. */
export function withStatus(message: Message, status: "pending" | "approved" | "disapproved"): Message {
  const former = isJsonObject(message.data.moderation) ? message.data.moderation : {};
  const rule = status === "disapproved" && former.rule !== undefined ? { rule: former.rule } : {};
  return { ...message, data: { ...message.data, moderation: { status, ...rule } } };
}

function toVerdict(message: Message, { blocking, entries, failures }: Judgement): Verdict {
  if (blocking === undefined) return { ...approval(message), entries, failures };
  const { id, name, action } = blocking.rule;
  return {
    ...approval(message),
    outcome: "disapproved",
    rule: { id, name },
    entries,
    failures,
    isDropped: action.includes("dropMessage"),
  };
}

function noteBlocked(
  services: AppServices,
  message: Message,
  { rule, condition }: NonNullable<Judgement["blocking"]>,
): void {
  const at = nowSeconds(services);
  putDocument(services, messageKinds.blocked, message.id, {
    ruleId: rule.id,
    ruleName: rule.name,
    revisionId: rule.revisionId,
    condition: { ...condition, weight: 1 },
    message,
    action: rule.action,
    createdAt: at,
    updatedAt: at,
  });
}

function partiesOf(data: AppData, message: Message): Parties | undefined {
  const sender = message.sender === systemUser.uid ? systemUser : findUser(data, message.sender);
  if (sender === undefined) return undefined;
  if (message.receiverType === "group") {
    const group = findGroup(data, message.receiver);
    return group === undefined ? undefined : { sender, receiver: { group } };
  }
  const user = findUser(data, message.receiver);
  return user === undefined ? undefined : { sender, receiver: { user } };
}

function contentTypeOf({ type }: Message): Verdict["contentType"] {
  return mediaTypes.find((media) => media === type) ?? "text";
}

const mediaTypes = ["image", "video", "audio", "file"] as const;
