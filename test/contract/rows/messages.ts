import { expect } from "vitest";
import {
  acting,
  after,
  inLobby,
  message,
  placedCall,
  type Sample,
  text,
  type World,
  withInput,
} from "../prepare.ts";
import { pluck, type Rows, refused, succeeded, theMessage } from "../row.ts";

const fromAlice = { ...text, sender: "alice", conversationId: "alice_user_bob" };
const inTheLobby = { ...fromAlice, receiver: "lobby", receiverType: "group", conversationId: "group_lobby" };

/** A message with the part that an operation removes. */
const marked =
  (act: (world: World, id: string) => Promise<unknown>) =>
  async (world: World): Promise<Sample> => {
    const sample = await message(world);
    await act(world, sample.path?.id ?? "");
    return sample;
  };

/** Two reactions to the third message, whose id differs from both reactions'. */
const reacted = async (world: World): Promise<Sample> => {
  for (const word of ["one", "two"])
    await world.chat.messages.send({ ...text, data: { text: word } }, acting);
  return await marked(async ({ chat }, id) => {
    await chat.reactions.add(id, "👍", acting);
    await chat.reactions.add(id, "🎉", acting);
  })(world);
};
const replied = marked(({ chat }, id) => chat.threads.reply(id, { ...text, data: { text: "re" } }, acting));

/** Reads a temporary field. */
const markOf =
  (name: "pinnedBy" | "savedAt"): NonNullable<Rows[string]["leaves"]>[0] =>
  async (world, called) =>
    (await theMessage(world, called))[name] === undefined ? "unmarked" : "marked";

const botSettings = { webhookURL: "http://127.0.0.1:9/", enabled: true };
const newBot = async ({ chat }: World): Promise<Sample> => {
  await chat.bots.create({ uid: "bob", ...botSettings });
  return { path: { uid: "bob" } };
};

export const messageRows: Rows = {
  "send-message": {
    given: { input: { ...text, muid: "m-1" }, ...acting },
    answers: { ...fromAlice, muid: "m-1" },
    leaves: [({ chat }) => pluck(chat.messages.list({ limit: 5 }), "muid"), ["m-1"]],
  },
  "list-all-messages": {
    given: after(message, { input: { limit: 5 }, ...acting }),
    answers: [{ ...fromAlice, muid: "m-1" }],
  },
  "user-list-user-messages": {
    given: after(placedCall, { path: { uid: "bob" }, ...acting }),
    answers: [{ category: "call", sender: "alice", receiver: "bob" }],
  },
  "user-list-group-messages": {
    given: (world) => inLobby(world, { limit: 5 }),
    answers: [inTheLobby],
  },
  "get-message-details": {
    given: message,
    answers: ({ path }) => ({ ...fromAlice, id: path("id"), muid: "m-1" }),
  },
  "update-message": {
    given: withInput(message, { data: { text: "edited" } }),
    answers: ({ path }) => ({
      data: {
        action: "edited",
        entities: { on: { entity: { id: path("id"), data: { text: "edited" }, editedBy: "alice" } } },
      },
    }),
    leaves: [theMessage, { data: { text: "edited" }, editedBy: "alice" }],
  },
  "delete-message": {
    given: message,
    answers: ({ path }) => ({
      data: { action: "deleted", entities: { on: { entity: { id: path("id"), deletedBy: "alice" } } } },
    }),
    leaves: [theMessage, { deletedBy: "alice" }],
  },
  "pin-message": {
    given: message,
    answers: ({ path }) => ({ ...fromAlice, id: path("id"), pinnedBy: "alice" }),
    leaves: [theMessage, { pinnedBy: "alice" }],
  },
  "unpin-message": {
    given: marked(({ chat }, id) => chat.messages.pin(id, acting)),
    answers: ({ path }) => ({ ...fromAlice, id: path("id") }),
    leaves: [markOf("pinnedBy"), "unmarked"],
  },
  "save-message": {
    given: message,
    answers: ({ path }) => ({ ...fromAlice, id: path("id"), savedAt: expect.any(Number) }),
    leaves: [markOf("savedAt"), "marked"],
  },
  "unsave-message": {
    given: marked(({ chat }, id) => chat.messages.save(id, acting)),
    answers: ({ path }) => ({ ...fromAlice, id: path("id") }),
    leaves: [markOf("savedAt"), "unmarked"],
  },
  "mark-message-as-interacted": {
    given: withInput(message, { interactions: ["1"] }),
    answers: ({ path }) => ({
      ...succeeded,
      message: expect.stringMatching(`id ${path("id")} .* alice`),
    }),
    traceless: "No operation shows interactions.",
  },
  "create-bot": {
    given: { input: { uid: "bob", ...botSettings } },
    answers: { uid: "bob", groupChatSetting: "none", ...botSettings },
    leaves: [({ chat }) => pluck(chat.bots.list(), "uid"), ["bob", "helper"]],
  },
  "list-bots": {
    given: after(newBot),
    answers: [{ uid: "bob" }, { uid: "helper" }],
  },
  "get-bot": { given: newBot, answers: { uid: "bob", ...botSettings } },
  "update-bot": {
    given: withInput(newBot, { groupChatSetting: "allMessages" }),
    answers: { uid: "bob", groupChatSetting: "allMessages", ...botSettings },
    leaves: [({ chat }) => chat.bots.get("bob"), { groupChatSetting: "allMessages" }],
  },
  "delete-bot": {
    given: newBot,
    answers: { ...succeeded, message: expect.stringContaining("bob") },
    leaves: [({ chat }) => chat.bots.get("bob"), refused("ERR_BOT_NOT_FOUND")],
  },
  "send-bot-message": {
    given: after(
      ({ simulate }) =>
        simulate("PUT", "/bots/helper-bot", {
          name: "Helper",
          url: "http://127.0.0.1:9/",
          groupMessages: "none",
        }),
      { path: { uid: "helper-bot" }, input: text },
    ),
    answers: { ...text, sender: "helper-bot", conversationId: "bob_user_helper-bot" },
    leaves: [({ chat }) => pluck(chat.messages.list({ limit: 5 }), "sender"), ["helper-bot"]],
  },
  "list-all-reactions": {
    given: reacted,
    answers: ({ path }) => [
      { messageId: path("id"), reaction: "👍", uid: "alice" },
      { messageId: path("id"), reaction: "🎉", uid: "alice" },
    ],
  },
  "get-message-reactions": {
    given: reacted,
    answers: ({ path }) => [{ messageId: path("id"), reaction: "👍", uid: "alice" }],
  },
  "add-message-reactions": {
    given: message,
    answers: ({ path }) => ({
      ...fromAlice,
      id: path("id"),
      data: { ...text.data, reactions: [{ reaction: "👍", count: 1, reactedByMe: true }] },
    }),
    leaves: [({ chat }, { path }) => pluck(chat.reactions.list(path("id")), "reaction"), ["👍"]],
  },
  "remove-message-reactions": {
    given: reacted,
    answers: ({ path }) => ({ ...fromAlice, id: path("id") }),
    leaves: [({ chat }, { path }) => pluck(chat.reactions.list(path("id")), "reaction"), ["🎉"]],
  },
  "send-thread-message": {
    given: withInput(message, text),
    answers: ({ path }) => ({ ...fromAlice, parentId: path("id") }),
    leaves: [({ chat }, { path }) => pluck(chat.threads.listReplies(path("id")), "sender"), ["alice"]],
  },
  "list-all-thread-messages": {
    given: replied,
    answers: ({ path }) => [{ sender: "alice", parentId: path("id"), data: { text: "re" } }],
  },
  "list-all-threads": {
    given: after(replied),
    answers: [{ ...fromAlice, muid: "m-1", replyCount: 1, lastReply: { data: { text: "re" } } }],
  },
  "subscribe-thread": {
    given: replied,
    answers: succeeded,
    traceless: "No operation shows who follows a thread.",
  },
  "unsubscribe-thread": {
    given: replied,
    answers: succeeded,
    traceless: "No operation shows who follows a thread.",
  },
};
