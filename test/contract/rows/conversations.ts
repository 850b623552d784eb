import { expect } from "vitest";
import { acting, after, inLobby, newUser, type Sample, text, type World, withBob } from "../prepare.ts";
import { pluck, type Rows, succeeded } from "../row.ts";

const withUser = { conversationId: "alice_user_bob", conversationType: "user" };
const ofGroup = { conversationId: "group_lobby", conversationType: "group" };

/** An unread message for alice, from bob or in the lobby. */
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

/** The common part of a user's and a group's conversation. */
function rowsOf(target: "user" | "group"): Rows {
  const isUser = target === "user";
  const given = isUser ? withBob : inLobby;
  const look = isUser ? userConversation : groupConversation;
  const one = isUser ? withUser : ofGroup;
  const mark = isUser ? "mark-conversation-as" : "mark-group-conversation-as";
  const pin = ({ chat }: World) =>
    isUser ? chat.userConversations.pin("bob", acting) : chat.groupConversations.pin("lobby", acting);
  const markRead = ({ chat }: World) =>
    isUser
      ? chat.userConversations.markRead("bob", {}, acting)
      : chat.groupConversations.markRead("lobby", {}, acting);
  return {
    [`get-${target}-conversations`]: {
      given: (world) => given(world),
      answers: isUser
        ? { ...one, conversationWith: { uid: "bob" }, lastMessage: { muid: "m-1" } }
        : { ...one, conversationWith: { guid: "lobby" }, lastMessage: { sender: "alice" } },
    },
    [`update-${target}-conversation`]: {
      given: (world) => given(world, { tags: ["vip"] }),
      answers: { ...one, tags: ["vip"] },
      leaves: [look, { tags: ["vip"] }],
    },
    [`reset-${target}-conversation`]: {
      given: (world) => given(world, {}),
      answers: { ...succeeded, message: expect.stringMatching(`${one.conversationId} .* alice`) },
      leaves: [({ chat }) => pluck(chat.conversations.list({}, acting), "conversationId"), []],
    },
    [`pin-${target}-conversation`]: {
      given: (world) => given(world),
      answers: { ...one, pinnedBy: "alice" },
      leaves: [look, { pinnedBy: "alice" }],
    },
    [`unpin-${target}-conversation`]: {
      given: async (world) => {
        const sample = await given(world);
        await pin(world);
        return sample;
      },
      answers: one,
      leaves: [async (world) => (await look(world)).pinnedBy ?? "nobody", "nobody"],
    },
    [`${mark}-delivered`]: {
      given: waiting(target),
      answers: { ...succeeded, message: expect.stringMatching(`${target} are marked as delivered`) },
      ...(isUser
        ? { leaves: [deliveryOfBobs, "delivered"] as const }
        : { traceless: "A group's messages show no delivery." }),
    },
    [`${mark}-read`]: {
      given: waiting(target),
      answers: { ...succeeded, message: expect.stringMatching(`${target} are marked as read`) },
      leaves: [look, { unreadMessageCount: 0 }],
    },
    [`${mark}-unread`]: {
      given: waiting(target, markRead),
      answers: { ...succeeded, message: expect.stringMatching(/marked as unread .* alice/) },
      leaves: [look, { unreadMessageCount: 1 }],
    },
  };
}

export const conversationRows: Rows = {
  "list-all-conversations": {
    given: after(async ({ chat }) => {
      await chat.users.create(newUser);
      await chat.members.add("lobby", { participants: ["zoe"] });
    }, acting),
    answers: [{ ...ofGroup, conversationWith: { guid: "lobby" }, lastMessage: { category: "action" } }],
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
  ...rowsOf("user"),
  ...rowsOf("group"),
};
