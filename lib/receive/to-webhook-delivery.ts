import { parseJson } from "../base/json.ts";
import type { Identity } from "../events/identity.ts";
import { type ParsedEvent, parseEvent } from "../events/parse-event.ts";
import type { WebhookDelivery } from "./webhook-store.ts";

/** What is known of a delivery before its event is read. */
interface Received {
  readonly appId: string;
  readonly bytes: Uint8Array;
  /** The bytes decoded as UTF-8, where that was done already. */
  readonly text?: string | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Reads a delivery's event, and says what is wrong where it cannot be read. Never throws. */
export function toWebhookDelivery(received: Received, identity: Identity | undefined): WebhookDelivery {
  const { appId, bytes: raw, receivedAt, text = Buffer.from(raw).toString("utf8") } = received;
  const facts = { appId, raw, receivedAt };
  const body = parseJson(text);
  const parsed = parseSafely(body, received, identity);
  if (parsed.ok && identity !== undefined) return { ...facts, event: parsed.event, identity };
  const problems = parsed.ok ? [] : parsed.problems;
  const unknown = body === undefined ? "not-json" : "no-envelope";
  return {
    ...facts,
    event: undefined,
    identity,
    reason: identity === undefined ? unknown : "not-understood",
    problems,
  };
}

/** What a reader throws over is as unread as what it refuses: it is kept all the same. */
function parseSafely(
  body: unknown,
  { appId, receivedAt }: Received,
  found: Identity | undefined,
): ParsedEvent {
  try {
    return parseEvent(body, { appId, found, receivedAt });
  } catch {
    return { ok: false, problems: [] };
  }
}
