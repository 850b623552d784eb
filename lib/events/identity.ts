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

/** Names the five kinds of deliveries that the platform makes. */
export type EventFamily = "webhook" | "legacy" | "bot" | "notification" | "extension";

/** What the receiver finds out about a delivery, before anything else of it is understood. */
export interface Identity {
  readonly family: EventFamily;
  /** The platform's own name; `email-extension` for the one delivery that carries none. */
  readonly trigger: string;
  /**
   * Equal for two deliveries of one fact, also when two webhooks bring them. Holds no text of a message. Any length,
   * any characters: hash it where that matters.
   */
  readonly key: string;
  /** Equal for facts that must stay in order. Any length, any characters: hash it for a queue. */
  readonly lane: string;
  /**
   * True where nothing in the key happens only once: the same key, received later than a retry can come, is another
   * fact (lib/events/occurrence.ts).
   */
  readonly canRecur: boolean;
}

/**
 * Tells which fact a parsed body reports, without checking the rest of it. Never throws for a JSON value.
 * `undefined` means no recognisable envelope: neither a trigger (of at most 128 characters) nor the e-mail extension's shape.
 *
 * @param verifiedAppId The app whose credentials let the delivery in. It wins over the app that the body names,
 *   so that one app's delivery can never pass for another's.
 * @see docs/identity.md, docs/platform/webhooks.md#families-of-calls, docs/platform/webhooks.md#telling-duplicates
 */
export function identify(body: unknown, verifiedAppId?: string): Identity | undefined {
  const envelope = recognise(body);
  if (!envelope) return;

  const { family, trigger, data, rule } = envelope;
  const appId = verifiedAppId ?? readText(body, "appId") ?? "";
  const [laneSpec, ...fieldSpecs] = rule;
  const found = resolveAll(fieldSpecs, data);
  // A real list never starts with an empty field, so a digest cannot be mistaken for one.
  const fields = found?.fields ?? ["", digestOf(withoutAddressee(body))];
  const key = joinFields([appId, trigger, ...envelope.asked, ...fields]);
  const lane = joinFields([appId, resolveSpec(laneSpec, data)?.fields[0] ?? key]);
  return { family, trigger, key, lane, canRecur: found?.canRecur ?? true };
}

/**
 * Joins one or more fields so that two different lists never give the same text:
 * the separator and the escape sign are escaped inside fields.
 */
export function joinFields(fields: readonly string[]): string {
  let joined: string | undefined;
  for (const field of fields) {
    joined = joined === undefined ? escapeField(field) : `${joined}|${escapeField(field)}`;
  }
  return joined ?? "";
}

/** Nearly no field needs it. */
function escapeField(field: string): string {
  return field.includes("|") || field.includes("\\") ? field.replace(/[\\|]/g, "\\$&") : field;
}

/** Finds all parts of a key; `undefined` when a required one is missing. */
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

/** Two webhooks of an app report one fact in bodies that differ in the webhook's name. */
function withoutAddressee(body: unknown): unknown {
  return isRecord(body) ? { ...body, webhook: undefined, appId: undefined } : body;
}

/**
 * Far more than any name known has, and what a bus takes for a name (DetailType). What is longer is no name, and must
 * not get into metrics, logs and keys.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsRequestEntry.html
 */
const MAX_TRIGGER_LENGTH = 128;

interface Envelope {
  readonly family: EventFamily;
  readonly trigger: string;
  /** Who of several is asked to act on the same message, marked: a bot may have the name of anything else. */
  readonly asked: readonly string[];
  readonly data: unknown;
  readonly rule: Rule;
}

function recognise(body: unknown): Envelope | undefined {
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

/** Two names exist in both engines; only the shape tells them apart (docs/platform/legacy-engine.md#legacy-receipts). */
function isLegacyReceipt(data: unknown): boolean {
  return isRecord(data) && !isRecord(data.body) && ("receiptType" in data || "messageId" in data);
}
