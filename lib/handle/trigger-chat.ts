import type { ChatClientWith } from "../chat/compose.ts";
import { messages } from "../chat/resources/messages.ts";
import { users } from "../chat/resources/users.ts";
import type { MessagesClient } from "../chat/types/messages.ts";
import type { UsersClient } from "../chat/types/users.ts";

/** The families of the client for trigger handlers. Others are not in the bundle. */
export const triggerFamilies = { messages, users };

/** The client for trigger handlers. */
export type TriggerChat = ChatClientWith<{
  readonly messages: MessagesClient;
  readonly users: UsersClient;
}>;
