import { expect } from "vitest";
import { acting, after, inLobby, message, type Sample, text, type World, withBob } from "../prepare.ts";
import { pluck, type Row, type Rows, succeeded } from "../row.ts";

const withUser = { conversationId: "alice_user_bob", conversationType: "user" };
const ofGroup = { conversationId: "group_lobby", conversationType: "group" };

/** A message that waits for alice, from bob or in the lobby. */
const waiting =
  (target: "user" | "group", act?: (world: World) => Promise<unknown>) =>
  async (world: World): Promise<Sample> => {
    const receiver = target === "user" ? "alice" : "lobby";
    await world.chat.messages.send({ ...text, receiver, receiverType: target }, { onBehalfOf: "bob" });
    await act?.(world);
    return { ...(target === "user" ? { path: { uid: "bob" } } : {}), input: {}, ...acting };
  };

const userConversation = ({ chat }: World) => chat.userConversations.get("bob", acting);
const groupConversation = ({ chat }: World) => chat.groupConversations.get("lobby", acting);

const deliveryOfBobs = async ({ chat }: World) => {
  const [first] = (await chat.messages.list({ limit: 5 }, { onBehalfOf: "bob" }).page()).items;
  return first?.deliveredAt === undefined ? "under way" : "delivered";
};

/** What the conversation of a user and that of a group have alike. */
function marks(target: "user" | "group"): Record<"delivered" | "read" | "unread", Row> {
  const look = target === "user" ? userConversation : groupConversation;
  const partner = target === "user" ? "user" : "group";
  const markRead = ({ chat }: World) =>
    target === "user"
      ? chat.userConversations.markRead("bob", {}, acting)
      : chat.groupConversations.markRead("lobby", {}, acting);
  return {
    delivered: {
      given: waiting(target),
      answers: { ...succeeded, message: expect.stringMatching(`${partner} are marked as delivered`) },
      ...(target === "user"
        ? { leaves: [deliveryOfBobs, "delivered"] as const }
        : { traceless: "A group's messages show no delivery." }),
    },
    read: {
      given: waiting(target),
      answers: { ...succeeded, message: expect.stringMatching(`${partner} are marked as read`) },
      leaves: [look, { unreadMessageCount: 0 }],
    },
    unread: {
      given: waiting(target, markRead),
      answers: { ...succeeded, message: expect.stringMatching(/marked as unread .* alice/) },
      leaves: [look, { unreadMessageCount: 1 }],
    },
  };
}

const isPinned = (conversation: { pinnedBy?: string | undefined }) => conversation.pinnedBy ?? "nobody";
const ofUser = marks("user");
const ofLobby = marks("group");

export const conversationRows: Rows = {
  "list-all-conversations": {
    given: after(message, acting),
    answers: [{ ...withUser, conversationWith: { uid: "bob" }, lastMessage: { muid: "m-1" } }],
  },
  "list-global-pinned-conversations": {
    given: after(({ chat }) =>
      chat.conversations.replacePinned({ pinnedConversations: [{ guid: "lobby" }] }),
    ),
    answers: [{ ...ofGroup, conversationWith: { guid: "lobby" } }],
  },
  "replace-global-pinned-conversations": {
    given: { input: { pinnedConversations: [{ guid: "lobby" }] } },
    answers: [{ ...ofGroup, conversationWith: { guid: "lobby" } }],
    leaves: [({ chat }) => pluck(chat.conversations.listPinned(), "conversationId"), ["group_lobby"]],
  },
  "get-user-conversations": {
    given: (world) => withBob(world),
    answers: { ...withUser, conversationWith: { uid: "bob" }, lastMessage: { muid: "m-1" } },
  },
  "update-user-conversation": {
    given: (world) => withBob(world, { tags: ["vip"] }),
    answers: { ...withUser, tags: ["vip"] },
    leaves: [userConversation, { tags: ["vip"] }],
  },
  "reset-user-conversation": {
    given: (world) => withBob(world, {}),
    answers: { ...succeeded, message: expect.stringMatching(/alice_user_bob .* alice/) },
    leaves: [({ chat }) => pluck(chat.conversations.list({}, acting), "conversationId"), []],
  },
  "pin-user-conversation": {
    given: (world) => withBob(world),
    answers: { ...withUser, pinnedBy: "alice" },
    leaves: [userConversation, { pinnedBy: "alice" }],
  },
  "unpin-user-conversation": {
    given: async (world) => {
      const sample = await withBob(world);
      await world.chat.userConversations.pin("bob", acting);
      return sample;
    },
    answers: withUser,
    leaves: [async (world) => isPinned(await userConversation(world)), "nobody"],
  },
  "mark-conversation-as-delivered": ofUser.delivered,
  "mark-conversation-as-read": ofUser.read,
  "mark-conversation-as-unread": ofUser.unread,
  "get-group-conversations": {
    given: (world) => inLobby(world),
    answers: { ...ofGroup, conversationWith: { guid: "lobby" }, lastMessage: { sender: "alice" } },
  },
  "update-group-conversation": {
    given: (world) => inLobby(world, { tags: ["vip"] }),
    answers: { ...ofGroup, tags: ["vip"] },
    leaves: [groupConversation, { tags: ["vip"] }],
  },
  "reset-group-conversation": {
    given: (world) => inLobby(world, {}),
    answers: { ...succeeded, message: expect.stringMatching(/group_lobby .* alice/) },
    leaves: [({ chat }) => pluck(chat.conversations.list({}, acting), "conversationId"), []],
  },
  "pin-group-conversation": {
    given: (world) => inLobby(world),
    answers: { ...ofGroup, pinnedBy: "alice" },
    leaves: [groupConversation, { pinnedBy: "alice" }],
  },
  "unpin-group-conversation": {
    given: async (world) => {
      const sample = await inLobby(world);
      await world.chat.groupConversations.pin("lobby", acting);
      return sample;
    },
    answers: ofGroup,
    leaves: [async (world) => isPinned(await groupConversation(world)), "nobody"],
  },
  "mark-group-conversation-as-delivered": ofLobby.delivered,
  "mark-group-conversation-as-read": ofLobby.read,
  "mark-group-conversation-as-unread": ofLobby.unread,
};
