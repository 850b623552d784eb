import { addDefaultRole } from "./access/roles.ts";
import { apartListeners } from "./apart.ts";
import { tellBots } from "./chat/bots.ts";
import { addBuiltInModeration } from "./moderation/moderation-store.ts";
import { addBuiltInReasons } from "./moderation/reasons.ts";
import type { Listeners } from "./services/services.ts";
import { emitStoredMessage } from "./webhooks/message-events.ts";

/** Lists who listens to what happens on the platform, in the order in which they are told. */
export const listeners: Listeners = {
  appCreated: [addDefaultRole, addBuiltInModeration, addBuiltInReasons],
  messageStored: [emitStoredMessage, tellBots, ...apartListeners.messageStored],
  membershipChanged: apartListeners.membershipChanged,
  reactionAdded: apartListeners.reactionAdded,
  phoneCallSignalled: apartListeners.phoneCallSignalled,
};
