import * as z from "zod/mini";
import { messages } from "../../chat/resources/messages.ts";
import { checkEffect, textOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { inAnyForm } from "../read-back.ts";
import { messageIsGone, type Settled, settlingEffect } from "../settling-effect.ts";

export interface Pin {
  readonly messageId: string;
  /** uid of the user who pins. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Pins a message in its conversation (at most 100 pins). Repeatable: pinning again keeps the first pin
 * (inferred). Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_PINNED_MESSAGES_LIMIT_EXCEEDED, ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#pins-and-saves
 */
export function pinMessage(pin: Pin): Effect<Settled> {
  checkEffect("pinMessage", pin, pinShape());
  const { messageId, onBehalfOf } = pin;
  return settlingEffect(messages.pin.id, (call, limits) =>
    call(inAnyForm(messages.pin), messageId, { onBehalfOf, ...limits }),
  );
}

/**
 * Unpins a message, no matter which user pinned it. Repeatable: a message that is not pinned, or missing,
 * counts as unpinned. Errors: ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#pins-and-saves
 */
export function unpinMessage(pin: Pin): Effect<Settled> {
  checkEffect("unpinMessage", pin, pinShape());
  const { messageId, onBehalfOf } = pin;
  return settlingEffect(
    messages.unpin.id,
    (call, limits) => call(inAnyForm(messages.unpin), messageId, { onBehalfOf, ...limits }),
    { meanSo: messageIsGone },
  );
}

const pinShape = () => ({ messageId: z.string(), onBehalfOf: textOrNone() });
