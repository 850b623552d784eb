import { isRecord } from "../base/json.ts";
import { digestOf } from "./canonical-text.ts";
import {
  botRule,
  currentRules,
  extensionRule,
  legacyRules,
  notificationRules,
  type Rule,
  resolveSpec,
  type Spec,
  unknownRule,
} from "./identity-rules.ts";
import { readText } from "./read-path.ts";

/** The five kinds of deliveries that the platform makes. */
export type EventFamily = "webhook" | "legacy" | "bot" | "notification" | "extension";

/** What the receiver determines about a delivery before it parses the rest. */
export interface Identity {
  readonly family: EventFamily;
  /** The platform's name; `email-extension` for the one delivery without a name. */
  readonly trigger: string;
  /**
   * Equal for two deliveries of one occurrence, even from two webhooks. Contains no message text. Any length
   * and characters: hash it if that matters.
   */
  readonly key: string;
  /** Equal for occurrences that must stay in order. Any length and characters: hash it for a queue. */
  readonly lane: string;
  /**
   * True if nothing in the key is unique: the same key, received after the platform's last retry, is another
   * occurrence (lib/events/occurrence.ts).
   */
  readonly canRecur: boolean;
}

/**
 * Identifies the occurrence that a parsed body reports, without checking the rest of the body. Never throws
 * for a JSON value.
 *
 * @param verifiedAppId The app whose credentials the delivery has. It overrides the app that the body names,
 *   so that a delivery of one app cannot pass for another's.
 * @returns undefined if the body has neither a trigger (of at most 128 characters) nor the e-mail extension's
 *   shape
 * @see docs/internals/identity.md, docs/internals/platform/webhooks.md#families-of-calls,
 *   docs/internals/platform/webhooks.md#telling-duplicates
 */
export function identify(body: unknown, verifiedAppId?: string): Identity | undefined {
  const envelope = recognise(body);
  if (!envelope) return;

  const { family, trigger, data, rule } = envelope;
  const appId = verifiedAppId ?? readText(body, "appId") ?? "";
  const [laneSpec, ...fieldSpecs] = rule;
  const found = resolveAll(fieldSpecs, data);
  // A list of parts never begins with an empty one, so it cannot equal a digest.
  const fields = found?.fields ?? ["", digestOf(withoutAddressee(body))];
  const key = joinFields([appId, trigger, ...envelope.asked, ...fields]);
  const lane = joinFields([appId, resolveSpec(laneSpec, data)?.fields[0] ?? key]);
  return { family, trigger, key, lane, canRecur: found?.canRecur ?? true };
}

/** Joins fields unambiguously: escapes the separator and the escape character inside fields. */
export function joinFields(fields: readonly string[]): string {
  let joined: string | undefined;
  for (const field of fields) {
    joined = joined === undefined ? escapeField(field) : `${joined}|${escapeField(field)}`;
  }
  return joined ?? "";
}

/** Almost no field needs it. */
function escapeField(field: string): string {
  return field.includes("|") || field.includes("\\") ? field.replace(/[\\|]/g, "\\$&") : field;
}

/** Returns all parts of a key, or undefined if a required one is missing. */
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

/** Two webhooks of an app report one occurrence in bodies that differ only in the webhook's name. */
function withoutAddressee(body: unknown): unknown {
  return isRecord(body) ? { ...body, webhook: undefined, appId: undefined } : body;
}

/**
 * Longer than any known name; the limit of an event bus for a name (DetailType). A longer value is invalid
 * and must not reach metrics, logs and keys.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html
 */
const MAX_TRIGGER_LENGTH = 128;

interface Envelope {
  readonly family: EventFamily;
  readonly trigger: string;
  /** The bot that must act on the message, marked, because a bot's uid can equal any other value. */
  readonly asked: readonly string[];
  readonly data: unknown;
  readonly rule: Rule;
}

export function recognise(body: unknown): Envelope | undefined {
  if (!isRecord(body)) return;
  const { trigger, data } = body;
  if (typeof trigger !== "string" || !trigger) {
    if (typeof body.to !== "string" || !Array.isArray(body.body)) return;
    const extension = { family: "extension", trigger: "email-extension", asked: [] } as const;
    return { ...extension, data: body.body, rule: extensionRule };
  }

  if (trigger.length > MAX_TRIGGER_LENGTH) return;
  const event = { trigger, asked: [], data };
  const bot = readText(body, "bot");
  if (trigger === "after_message" && bot && !readText(body, "webhook")) {
    return { ...event, family: "bot", asked: ["bot", bot], rule: botRule };
  }
  const notification = notificationRules.get(trigger);
  if (notification) return { ...event, family: "notification", rule: notification };
  const isCurrent = currentRules.has(trigger) && !isLegacyReceipt(data);
  const legacy = isCurrent ? undefined : legacyRules.get(trigger);
  if (legacy) return { ...event, family: "legacy", rule: legacy };
  return { ...event, family: "webhook", rule: currentRules.get(trigger) ?? unknownRule };
}

/**
 * Two names exist in both engines; only the shape distinguishes them
 * (docs/internals/platform/legacy-engine.md#legacy-receipts).
 */
function isLegacyReceipt(data: unknown): boolean {
  return isRecord(data) && !isRecord(data.body) && ("receiptType" in data || "messageId" in data);
}
