import { expect, it } from "vitest";
import { conversationOf } from "../../../lib/events/conversation.ts";

it.each([
  ["group_lobby", undefined, "group"],
  ["group_x_user_y", undefined, "user"],
  ["group_x_user_y", "group", "group"],
  ["alice_user_bob", undefined, "user"],
])(
  "treats the conversation %s of a message with the receiver type %s as that of a %s",
  (conversationId, receiverType, type) => {
    expect(conversationOf({ conversationId, receiverType })).toEqual({ id: conversationId, type });
  },
);
