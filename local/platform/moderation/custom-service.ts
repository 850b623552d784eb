import type { JsonObject } from "../json.ts";
import type { Answer } from "../services/question.ts";
import { type AppServices, nowSeconds, type Services } from "../services/services.ts";
import { isText, ofConversation } from "../store/message-conditions.ts";
import { type Message, selectMessages } from "../store/messages.ts";
import { findModerationService, type ModerationService } from "../store/moderation-services.ts";
import { isSuccess } from "../webhooks/send.ts";
import type { CustomAnswer, CustomQuestion } from "./evaluate.ts";

/**
 * Asks a customer's moderation service about a message. Never throws: a failure is an answer of its own, with what
 * moderation_engine_failed tells. @see docs/platform/moderation.md#custom-api, docs/platform/events.md#failed-engines
 */
export async function askCustomModeration(
  services: AppServices,
  message: Message,
  question: CustomQuestion,
): Promise<CustomAnswer> {
  const service = findModerationService(services, question.listId);
  if (service === undefined) return fail(services, question, { category: "not_configured" });
  const body = { contextMessages: contextOf(services, message, service.contextMessages) };
  const timeoutMs = services.switches.customModerationTimeoutMs;
  const result = await services.ask({
    appId: services.appId,
    kind: "custom_moderation",
    target: question.listId,
    url: service.url,
    credentials: service.credentials,
    body,
    timeoutMs,
  });
  const problem = problemOf(result, timeoutMs);
  if (problem !== undefined) {
    return fail(services, question, { ...problem, service, bodyBytes: byteLength(body) });
  }
  return {
    kind: "answered",
    isMatchingCondition: result.json?.isMatchingCondition === true,
    confidence: Number(result.json?.confidence),
  };
}

// Each element has one key, a uid. Earlier ones are texts, the last is the message under test (the key of its sender;
// the printed sample has another uid there).
function contextOf(services: AppServices, message: Message, count: number): JsonObject[] {
  const earlier = selectMessages(services, {
    conditions: [ofConversation(message.conversationId), isText()],
    newestFirst: true,
    limit: count,
  }).reverse();
  const underTest = { ...message, data: { ...message.data, moderation: { status: "pending" } } };
  return [...earlier.map(({ sender, data }) => ({ [sender]: data.text })), { [message.sender]: underTest }];
}

type Problem = {
  category: string;
  errorMessage: string;
  httpStatus?: number;
  responseBody?: string;
  responseBodyTruncated?: boolean;
  timeoutMs?: number;
  validationErrors?: string[];
};

function problemOf(result: Answer, timeoutMs: number): Problem | undefined {
  const { status } = result;
  if (result.isTimeout) {
    const errorMessage = `Your moderation endpoint did not answer within ${timeoutMs} ms.`;
    return { category: "timeout", errorMessage, timeoutMs };
  }
  if (status === undefined) {
    return { category: "connection_error", errorMessage: "Your moderation endpoint could not be reached." };
  }
  const answered = {
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

function validate(answer: JsonObject | undefined): string[] {
  if (answer === undefined) return ["The response must be a JSON object."];
  const { isMatchingCondition, confidence } = answer;
  return [
    ...(typeof isMatchingCondition === "boolean" ? [] : ["isMatchingCondition must be a boolean."]),
    ...(typeof confidence === "number" && confidence >= 0 && confidence <= 1
      ? []
      : ["confidence must be a number from 0 to 1."]),
  ];
}

function fail(
  services: Services,
  { rule, condition, listId, percent }: CustomQuestion,
  given: { category: "not_configured" } | (Problem & { service: ModerationService; bodyBytes: number }),
): CustomAnswer {
  const { service, bodyBytes, ...problem } = "service" in given ? given : { ...given, ...missing };
  const onError = service?.onError ?? "approve-message";
  const { entity, operand, category, operator } = condition;
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
        rule: { id: rule.id, name: rule.name, revisionId: rule.revisionId },
        condition: {
          entity,
          operand,
          category,
          operator,
          message: condition.message.join(" "),
          listId,
          threshold: { comparison: "greaterThan", percent },
        },
        ...(service === undefined ? {} : { request: requestOf(service, bodyBytes) }),
      },
    },
  };
}

function requestOf({ url, credentials }: ModerationService, bodyBytes: number): JsonObject {
  const shown = new URL(url);
  shown.search = "";
  return { url: shown.href, method: "POST", bodyBytes, basicAuthSent: credentials !== undefined };
}

function byteLength(body: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(body));
}

const missing = {
  service: undefined,
  bodyBytes: 0,
  errorMessage: "No moderation endpoint is configured for this list.",
};

// At most 2 KB of the answer is told (docs/platform/events.md#failed-engines).
const maxResponseCharacters = 2_048;
