import type { JsonObject } from "../json.ts";
import type { Group } from "./groups.ts";
import type { User } from "./users.ts";

/** What a new message is made of, checked already. */
export type MessageDraft = {
  sender: User;
  recipient: Recipient;
  category: string;
  type: string;
  data: JsonObject;
  muid?: string | undefined;
  tags?: string[] | undefined;
  parentId?: string | undefined;
  quotedMessage?: JsonObject | undefined;
  /** Unix seconds; the present when absent. */
  sentAt?: number | undefined;
};

/** Names who gets a message. */
export type Recipient = { type: "user"; user: User } | { type: "group"; group: Group };
