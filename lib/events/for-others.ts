import * as z from "zod/mini";
import { lazy } from "../base/lazy.ts";
import { checkCall } from "../chat/check-call.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import { type Identity, identify } from "./identity.ts";
import { type DeliveryContext, type ParsedEvent, parseEvent } from "./parse-event.ts";
import { suggestTrigger, type TriggerSuggestion } from "./suggest-trigger.ts";

// What the deployed functions call with what they have checked themselves, others may call with anything.

/**
 * Understands the body of any delivery. Refuses only what no trigger can do without; fields of odd form are read as
 * what they mean or as absent, and told as `oddities` (docs/reading.md). Keeps unknown fields, passes unknown triggers
 * through, and never throws for a JSON value.
 * @throws InvalidInputError for a context that is none, and a body that is no JSON value, such as one that holds itself
 * @example
 * const parsed = parseEvent(JSON.parse(body));
 * if (parsed.ok && parsed.event.kind === "known" && parsed.event.trigger === "message_sent")
 *   console.log(parsed.event.message.data.text);
 */
export function parseAnyEvent(body: unknown, context: DeliveryContext = {}): ParsedEvent {
  checkCall("parseEvent", "context", contextSchema(), context);
  return readBody("parseEvent", body, () => parseEvent(body, context));
}

/**
 * Tells which fact a parsed body reports, without checking the rest of it. Never throws for a JSON value.
 * `undefined` means no recognisable envelope: neither a trigger (of at most 128 characters) nor the e-mail extension's shape.
 *
 * @param verifiedAppId The app whose credentials let the delivery in. It wins over the app that the body names,
 *   so that one app's delivery can never pass for another's.
 * @throws InvalidInputError for an app's id that is no text, and a body that is no JSON value, such as one that holds itself
 * @see docs/identity.md, docs/platform/webhooks.md#families-of-calls, docs/platform/webhooks.md#telling-duplicates
 */
export function identifyAny(body: unknown, verifiedAppId?: string): Identity | undefined {
  checkCall("identify", "verifiedAppId", z.optional(z.string()), verifiedAppId);
  return readBody("identify", body, () => identify(body, verifiedAppId));
}

/**
 * Suggests the right name for a trigger that the platform does not have. `undefined` when nothing is near:
 * then it may be a new event of the platform.
 * @throws InvalidInputError for a name that is no text
 * @see docs/platform/events.md#names-that-do-not-exist
 */
export function suggestForTrigger(name: string): TriggerSuggestion | undefined {
  checkCall("suggestTrigger", "name", z.string(), name);
  return suggestTrigger(name);
}

const contextSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    appId: z.optional(z.string()),
    found: z.optional(z.looseObject({ key: z.string(), canRecur: z.boolean() })),
    receivedAt: z.optional(z.number()),
  }),
);

function readBody<T>(call: string, body: unknown, read: () => T): T {
  return readPlainly(call, "body", () => {
    if (holdsItself(body))
      throw new InvalidInputError(call, "body", "a JSON value, which cannot hold itself");
    return read();
  });
}

/** Such a value would be followed for ever. Bears any depth, as bodies may be nested deeper than functions can be. */
function holdsItself(value: unknown): boolean {
  const open = new Set<unknown>();
  const ahead: { readonly value: unknown; readonly isLeft: boolean }[] = [{ value, isLeft: false }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { value: inner, isLeft } = next;
    if (typeof inner !== "object" || inner === null) continue;
    if (isLeft) open.delete(inner);
    else if (open.has(inner)) return true;
    else {
      open.add(inner);
      ahead.push({ value: inner, isLeft: true });
      for (const part of Object.values(inner)) ahead.push({ value: part, isLeft: false });
    }
  }
  return false;
}
