import { parseJson } from "../../base/json.ts";
import type { Identity } from "../../events/identity.ts";
import { type ParsedEvent, parseEvent } from "../../events/parse-event.ts";
import type { WebhookDelivery } from "./webhook-store.ts";

interface Received {
  readonly appId: string;
  readonly bytes: Uint8Array;
  readonly text?: string | undefined;
  readonly receivedAt: number;
}

/** Never throws. */
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

/** If the parser throws, the delivery is stored as unreadable. */
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
