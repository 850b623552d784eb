import { reactions } from "../../chat/resources/reactions.ts";
import type { Effect } from "../effect.ts";
import { messageIsGone, type Settled, settlingEffect } from "../settling-effect.ts";
import type { OwnReaction } from "./add-reaction.ts";

/**
 * Takes a user's reaction back. Naturally repeatable: taking back what is not there changes nothing, and a reaction to a
 * message that is gone counts as taken back.
 * @see docs/platform/messages.md#reactions
 */
export function removeReaction({ messageId, reaction, onBehalfOf }: OwnReaction): Effect<Settled> {
  return settlingEffect(
    reactions.remove.id,
    (call, limits) => call(reactions.remove, messageId, reaction, { onBehalfOf, ...limits }),
    { meanSo: messageIsGone },
  );
}
