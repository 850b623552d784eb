import type { ComposedChatClient } from "../chat/compose.ts";
import { messages } from "../chat/resources/messages.ts";
import { users } from "../chat/resources/users.ts";

/** The families of the client that trigger handlers get: what is not named here is not in the bundle. */
export const triggerFamilies = { messages, users };

/** The client that trigger handlers get. */
export type TriggerChat = ComposedChatClient<typeof triggerFamilies>;
