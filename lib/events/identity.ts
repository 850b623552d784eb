import { isRecord } from "../json.ts";
import {
  botRule,
  currentRules,
  extensionRule,
  legacyRules,
  notificationRules,
  type Rule,
  resolveSpec,
  unknownRule,
} from "./identity-rules.ts";
import { readText } from "./read-path.ts";

/** Names the five kinds of deliveries that the platform makes. */
export type EventFamily = "webhook" | "legacy" | "bot" | "notification" | "extension";

export interface Identity {
  readonly family: EventFamily;
  /** The platform's own name; `email-extension` for the one delivery that carries none. */
  readonly trigger: string;
  /** Equal for two deliveries of one fact. Any length, any characters: hash it where that matters. */
  readonly key: string;
  /** Equal for facts that must stay in order. Any length, any characters: hash it for a queue. */
  readonly lane: string;
  /** Present where the key holds no moment in time: after this, the same key is a new fact. */
  readonly expiresAfterMs?: number;
}

/**
 * Tells which fact a parsed body reports, without checking the rest of it. Never throws for a JSON value.
 * `undefined` means no recognisable envelope: neither a trigger (of at most 200 characters) nor the e-mail extension's shape.
 *
 * @param fallback Called only when key fields are missing; a hash of the bytes as received.
 * @param verifiedAppId The app whose credentials let the delivery in. It wins over the app that the body names,
 *   so that one app's delivery can never pass for another's.
 * @see docs/platform/webhooks.md#families-of-calls, docs/platform/webhooks.md#telling-duplicates
 */
export function identify(
  body: unknown,
  fallback: () => string,
  verifiedAppId?: string,
): Identity | undefined {
  const envelope = recognise(body);
  if (!envelope) return;

  const { family, trigger, source, data, rule } = envelope;
  const appId = verifiedAppId ?? readText(body, "appId") ?? "";
  const [laneSpec, ...fieldSpecs] = rule;
  let fields: readonly string[] = [];
  let isTimeless = false;
  for (const spec of fieldSpecs) {
    const found = resolveSpec(spec, data);
    if (!found) {
      // A real list never starts with an empty field, so a hash cannot be mistaken for one.
      fields = ["", fallback()];
      isTimeless = true;
      break;
    }
    fields = fields.concat(found.fields);
    isTimeless ||= found.isTimeless === true;
  }
  const key = joinFields([appId, source, trigger, ...fields]);
  const lane = joinFields([appId, resolveSpec(laneSpec, data)?.fields[0] ?? key]);
  const identity = { family, trigger, key, lane };
  if (!isTimeless) return identity;
  return { ...identity, expiresAfterMs: family === "notification" ? COLLECTED_MS : TIMELESS_MS };
}

/**
 * Joins one or more fields so that two different lists never give the same text:
 * the separator and the escape sign are escaped inside fields.
 */
export function joinFields(fields: readonly string[]): string {
  return fields.map(escapeField).join("|");
}

/** Nearly no field needs it. */
function escapeField(field: string): string {
  return field.includes("|") || field.includes("\\") ? field.replace(/[\\|]/g, "\\$&") : field;
}

/**
 * The platform gives up a delivery after about 40 s; docs/platform/webhooks.md#telling-duplicates proposes "about 2
 * minutes" for such keys.
 */
const TIMELESS_MS = 120_000;
/**
 * E-mails and texts to one person are at least a minute apart and may be equal byte for byte
 * (docs/platform/other-calls.md#notification-providers).
 */
const COLLECTED_MS = 60_000;

/** Far more than any name known has. What is longer is no name, and must not get into metrics, logs and keys. */
const MAX_TRIGGER_LENGTH = 200;

interface Envelope {
  readonly family: EventFamily;
  readonly trigger: string;
  readonly source: string;
  readonly data: unknown;
  readonly rule: Rule;
}

function recognise(body: unknown): Envelope | undefined {
  if (!isRecord(body)) return;
  const { trigger, data } = body;
  if (typeof trigger !== "string" || !trigger) {
    if (typeof body.to !== "string" || !Array.isArray(body.body)) return;
    return {
      family: "extension",
      trigger: "email-extension",
      source: "",
      data: body.body,
      rule: extensionRule,
    };
  }

  if (trigger.length > MAX_TRIGGER_LENGTH) return;
  const source = readText(body, "webhook") ?? "";
  const bot = readText(body, "bot");
  if (trigger === "after_message" && bot && !source) {
    return { family: "bot", trigger, source: bot, data, rule: botRule };
  }
  const notification = notificationRules.get(trigger);
  if (notification) return { family: "notification", trigger, source, data, rule: notification };
  const isCurrent = currentRules.has(trigger) && !isLegacyReceipt(data);
  const legacy = isCurrent ? undefined : legacyRules.get(trigger);
  if (legacy) return { family: "legacy", trigger, source, data, rule: legacy };
  return { family: "webhook", trigger, source, data, rule: currentRules.get(trigger) ?? unknownRule };
}

/** Two names exist in both engines; only the shape tells them apart (docs/platform/legacy-engine.md#legacy-receipts). */
function isLegacyReceipt(data: unknown): boolean {
  return isRecord(data) && !isRecord(data.body) && ("receiptType" in data || "messageId" in data);
}
