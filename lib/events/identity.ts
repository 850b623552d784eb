import { isRecord, readText } from "../base/json.ts";
import { digestOf } from "./canonical-text.ts";
import {
  botRule,
  currentRules,
  extensionRule,
  legacyRules,
  notificationRules,
  type Rule,
  resolveSpec,
  ruleOf,
  type Spec,
  unknownRule,
} from "./identity-rules.ts";

/** A kind of delivery by the platform. */
export type EventFamily = "webhook" | "legacy" | "bot" | "notification" | "extension";

/** What is known about a delivery before the rest is parsed. */
export interface Identity {
  readonly family: EventFamily;
  /** `email-extension` for the one delivery without a name. */
  readonly trigger: string;
  /**
   * Equal for two deliveries of one occurrence, even from two webhooks. No message text; any length and
   * characters: hash it if that matters.
   */
  readonly key: string;
  /** Equal for occurrences that must stay in order. Any length and characters: hash it for a queue. */
  readonly lane: string;
  /**
   * True if nothing in the key is unique: received after the platform's last retry, it is another occurrence
   * (lib/events/occurrence.ts).
   */
  readonly canRecur: boolean;
}

/**
 * Like `identifyAny`, without checks. Never throws for a JSON value.
 * @see docs/internals/identity.md, docs/internals/platform/webhooks.md#families-of-calls,
 * docs/internals/platform/webhooks.md#telling-duplicates
 */
export function identify(body: unknown, verifiedAppId?: string): Identity | undefined {
  const envelope = recognise(body);
  if (!envelope) return;

  const { family, trigger, data, rule } = envelope;
  const appId = verifiedAppId ?? readText(body, "appId") ?? "";
  const [laneSpec, ...fieldSpecs] = rule;
  const found = resolveAll(fieldSpecs, data);
  const fields = found?.fields ?? ["", digestOf(withoutAddressee(body))];
  const key = joinFields([appId, trigger, ...envelope.asked, ...fields]);
  const lane = joinFields([appId, resolveSpec(laneSpec, data)?.fields[0] ?? key]);
  return { family, trigger, key, lane, canRecur: found?.canRecur ?? true };
}

/** Escapes, so that no two lists become one text. */
export function joinFields(fields: readonly string[]): string {
  let joined: string | undefined;
  for (const field of fields) {
    joined = joined === undefined ? escapeField(field) : `${joined}|${escapeField(field)}`;
  }
  return joined ?? "";
}

function escapeField(field: string): string {
  return field.includes("|") || field.includes("\\") ? field.replace(/[\\|]/g, "\\$&") : field;
}

/** Undefined if a required part is missing. */
function resolveAll(
  specs: readonly Spec[],
  data: unknown,
): { fields: readonly string[]; canRecur: boolean } | undefined {
  const fields: string[] = [];
  let canRecur = false;
  for (const spec of specs) {
    const part = resolveSpec(spec, data);
    if (part === undefined) return undefined;
    for (const field of part.fields) fields.push(field);
    canRecur ||= part.canRecur === true;
  }
  return { fields, canRecur };
}

/** An app's two webhooks report one occurrence in bodies that differ only in the webhook's name. */
function withoutAddressee(body: unknown): unknown {
  return isRecord(body) ? { ...body, webhook: undefined, appId: undefined } : body;
}

/**
 * DetailType's limit; longer names must not reach metrics, logs and keys.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html
 */
const MAX_TRIGGER_LENGTH = 128;

interface Envelope {
  readonly family: EventFamily;
  readonly trigger: string;
  /** The bot that must act, marked: its uid can equal any other value. */
  readonly asked: readonly string[];
  readonly data: unknown;
  readonly rule: Rule;
}

export function recognise(body: unknown): Envelope | undefined {
  if (!isRecord(body)) return;
  const { trigger, data } = body;
  if (typeof trigger !== "string" || !trigger) {
    if (typeof body.to !== "string" || !Array.isArray(body.body)) return;
    return {
      family: "extension",
      trigger: "email-extension",
      asked: [],
      data: body.body,
      rule: extensionRule,
    };
  }

  if (trigger.length > MAX_TRIGGER_LENGTH) return;
  const event = { trigger, asked: [], data };
  const bot = readText(body, "bot");
  if (trigger === "after_message" && bot && !readText(body, "webhook")) {
    return { ...event, family: "bot", asked: ["bot", bot], rule: botRule };
  }
  const notification = ruleOf(notificationRules, trigger);
  if (notification) return { ...event, family: "notification", rule: notification };
  const current = ruleOf(currentRules, trigger);
  const legacy = current && !isLegacyReceipt(data) ? undefined : ruleOf(legacyRules, trigger);
  if (legacy) return { ...event, family: "legacy", rule: legacy };
  return { ...event, family: "webhook", rule: current ?? unknownRule };
}

/**
 * Two names exist in both engines; only the shape differs
 * (docs/internals/platform/legacy-engine.md#legacy-receipts).
 */
function isLegacyReceipt(data: unknown): boolean {
  return isRecord(data) && !isRecord(data.body) && ("receiptType" in data || "messageId" in data);
}
