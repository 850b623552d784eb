import * as z from "zod/mini";
import { lazy } from "../base/lazy.ts";
import { checkCall } from "../chat/check-call.ts";
import { readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import { type Identity, identify } from "./identity.ts";
import { type DeliveryContext, type ParsedEvent, parseEvent } from "./parse-event.ts";
import { suggestTrigger, type TriggerSuggestion } from "./suggest-trigger.ts";

// With checks of the arguments, for callers outside this package.

/**
 * Parses any delivery's body; refuses one without the fields that every handler needs. Reads fields of
 * unexpected form by their meaning or as absent, and lists them in `oddities` (docs/internals/reading.md).
 * Keeps unknown fields and accepts unknown triggers.
 * @throws InvalidInputError if the context is invalid or the body is not JSON, such as a cyclic value
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
 * Identifies the occurrence that a parsed body reports, without checking the rest.
 * @param verifiedAppId The app whose credentials the delivery has: overrides the app in the body, so that a
 * delivery of one app cannot pass for another's.
 * @returns undefined if the body has neither a trigger (at most 128 characters) nor the e-mail extension's
 * shape
 * @throws InvalidInputError if the app id is not a text or the body is not JSON, such as a cyclic value
 * @see docs/internals/identity.md, docs/internals/platform/webhooks.md#families-of-calls,
 * docs/internals/platform/webhooks.md#telling-duplicates
 */
export function identifyAny(body: unknown, verifiedAppId?: string): Identity | undefined {
  checkCall("identify", "verifiedAppId", z.optional(z.string()), verifiedAppId);
  return readBody("identify", body, () => identify(body, verifiedAppId));
}

/**
 * Suggests the right name for a trigger that the platform does not have.
 * @returns undefined if no name is similar: perhaps a new event
 * @throws InvalidInputError if the name is not a text
 * @see docs/internals/platform/events.md#names-that-do-not-exist
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

/** Bodies can be nested deeper than the call stack. */
function holdsItself(value: unknown) {
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
