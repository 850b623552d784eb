import { type JsonObject, objectOf, pick } from "../json.ts";
import { type Answer, type AppServices, nowSeconds, type Services } from "../services/services.ts";
import { type ModerationService, ownCredentials, serviceKind } from "../store/bots.ts";
import { type AppData, getDocument } from "../store/database.ts";
import { findGroup } from "../store/groups.ts";
import { isText, ofConversation } from "../store/message-conditions.ts";
import { type Message, selectMessages, type Verdict } from "../store/messages.ts";
import { condition } from "../store/query.ts";
import { findUser, systemUser } from "../store/users.ts";
import { isSuccess } from "../webhooks/send.ts";
import {
  type CustomAnswer,
  type CustomQuestion,
  evaluateRules,
  type Judgement,
  type Parties,
} from "./evaluate.ts";
import { listKeywordLists, listRules } from "./moderation-store.ts";

export async function moderate(services: AppServices, message: Message): Promise<Verdict | undefined> {
  const rules = listRules(services).filter((rule) => rule.enabled);
  const parties = rules.length === 0 ? undefined : partiesOf(services, message);
  if (parties === undefined) return undefined;
  if (message.category === "custom" && !services.switches.customMessagesModerated) return undefined;
  const judgement = await evaluateRules({
    rules,
    lists: new Map(listKeywordLists(services).map((list) => [list.id, list])),
    message,
    parties,
    nowSeconds: nowSeconds(services),
    ask: (question) => askCustomModeration(services, message, question),
  });
  if (!judgement.isJudged) return undefined;
  return toVerdict(message, judgement);
}

export function approval(message: Message): Verdict {
  const contentType = mediaTypes.find((media) => media === message.type) ?? "text";
  return { outcome: "approved", rules: [], entries: [], failures: [], contentType };
}

/** Keeps the deciding rule unless the message passes. */
export function withStatus(message: Message, status: "pending" | "approved" | "disapproved"): Message {
  const former = objectOf(message.data.moderation);
  const rule = status === "disapproved" && former.rule !== undefined ? { rule: former.rule } : {};
  return { ...message, data: { ...message.data, moderation: { status, ...rule } } };
}

function toVerdict(message: Message, { blocking, matched, entries, failures }: Judgement): Verdict {
  const rules = matched.map(({ id, name, action }) => ({ id, name, action }));
  if (blocking === undefined) {
    const excluded = entries.filter(({ filter }) => filter !== undefined);
    return { ...approval(message), rules, entries: excluded, failures };
  }
  const { id, name, action } = blocking.rule;
  return {
    ...approval(message),
    outcome: "disapproved",
    rule: { id, name },
    rules,
    entries,
    failures,
    isDropped: action.includes("dropMessage"),
    blocked: {
      ruleId: id,
      ruleName: name,
      revisionId: blocking.rule.revisionId,
      condition: { ...blocking.condition, weight: 1 },
      action,
    },
  };
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

const mediaTypes = ["image", "video", "audio", "file"] as const;

/**
 * Never throws.
 * @see docs/internals/platform/moderation.md#custom-api, docs/internals/platform/events.md#failed-engines
 */
async function askCustomModeration(
  services: AppServices,
  message: Message,
  question: CustomQuestion,
): Promise<CustomAnswer> {
  const service = getDocument<ModerationService>(services, serviceKind, question.listId);
  if (service === undefined) {
    const errorMessage = "No moderation endpoint is configured for this list.";
    return fail(services, question, { category: "not_configured", errorMessage });
  }
  const body = { contextMessages: contextOf(services, message, service.contextMessages) };
  const timeoutMs = services.switches.customModerationTimeoutMs;
  const result = await services.ask({
    appId: services.appId,
    kind: "custom_moderation",
    target: question.listId,
    url: service.url,
    credentials: ownCredentials(service),
    body,
    timeoutMs,
  });
  const problem = problemOf(result, timeoutMs);
  if (problem !== undefined) {
    const bodyBytes = Buffer.byteLength(JSON.stringify(body));
    return fail(services, question, problem, { service, bodyBytes });
  }
  return {
    kind: "answered",
    isMatchingCondition: result.json?.isMatchingCondition === true,
    confidence: Number(result.json?.confidence),
  };
}

// Gives each message one key, a uid; the tested message is last.
function contextOf(services: AppServices, message: Message, count: number) {
  const earlier = selectMessages(services, {
    conditions: [ofConversation(message.conversationId), isText(), condition("id < ?", Number(message.id))],
    newestFirst: true,
    limit: count,
  }).reverse();
  const underTest = { ...message, data: { ...message.data, moderation: { status: "pending" } } };
  return [...earlier.map(({ sender, data }) => ({ [sender]: data.text })), { [message.sender]: underTest }];
}

function problemOf(result: Answer, timeoutMs: number) {
  const { status } = result;
  if (result.isTimeout) {
    const errorMessage = `Your moderation endpoint did not answer within ${timeoutMs} ms.`;
    return { category: "timeout", errorMessage, timeoutMs };
  }
  if (status === undefined) {
    const errorMessage = "Your moderation endpoint could not be reached.";
    return { category: "connection_error", errorMessage, timeoutMs };
  }
  const answered = {
    timeoutMs,
    httpStatus: status,
    responseBody: result.text.slice(0, maxResponseCharacters),
    responseBodyTruncated: result.text.length > maxResponseCharacters,
  };
  if (!isSuccess(status)) {
    const errorMessage = `Your moderation endpoint returned HTTP ${status}.`;
    return { category: status >= 500 ? "http_5xx" : "http_4xx", errorMessage, ...answered };
  }
  const validationErrors = validate(result.json);
  if (validationErrors.length === 0) return undefined;
  const errorMessage = "Your moderation endpoint returned an invalid response.";
  return { category: "invalid_response", errorMessage, validationErrors, ...answered };
}

function validate(answer: JsonObject | undefined) {
  if (answer === undefined) return ["The response must be a JSON object."];
  return [
    ...(typeof answer.isMatchingCondition === "boolean" ? [] : ["isMatchingCondition must be a boolean."]),
    ...(typeof answer.confidence === "number" && answer.confidence >= 0 && answer.confidence <= 1
      ? []
      : ["confidence must be a number from 0 to 1."]),
  ];
}

function fail(
  services: Services,
  { rule, condition, listId, percent }: CustomQuestion,
  problem: JsonObject,
  asked?: { service: ModerationService; bodyBytes: number },
): CustomAnswer {
  const onError = asked?.service.onError ?? "approve-message";
  return {
    kind: "failed",
    isBlocking: onError === "drop-message",
    failure: {
      responseBodyTruncated: false,
      ...problem,
      failedAt: nowSeconds(services),
      context: {
        engine: "custom_api",
        setting: onError,
        rule: pick(rule, "id", "name", "revisionId"),
        condition: {
          ...pick(condition, "entity", "operand", "category", "operator"),
          message: condition.message.join(" "),
          listId,
          threshold: { comparison: "greaterThan", percent },
        },
        ...(asked !== undefined && { request: requestOf(asked.service, asked.bodyBytes) }),
      },
    },
  };
}

function requestOf(service: ModerationService, bodyBytes: number) {
  const shown = new URL(service.url);
  shown.search = "";
  return { url: shown.href, method: "POST", bodyBytes, basicAuthSent: ownCredentials(service) !== undefined };
}

// @see docs/internals/platform/events.md#failed-engines
const maxResponseCharacters = 2_048;
