import { type ChatClientOptions, composeChatClient } from "./compose.ts";
import { authTokens } from "./resources/auth-tokens.ts";
import { messages } from "./resources/messages.ts";
import { reasons } from "./resources/reasons.ts";
import { users } from "./resources/users.ts";

const families = { users, authTokens, messages, reasons };

/** A client with every family of the platform. */
export type ChatClient = ReturnType<typeof composeChatClient<typeof families>>;

/**
 * Creates a client for one app with every family of the platform; functions that must stay small use composeChatClient.
 * @throws InvalidInputError for an unknown region, an odd app id or key, or an unsafe address; nothing is sent.
 * @example const chat = createChatClient({ appId, region, apiKey });
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  return composeChatClient(options, families);
}
