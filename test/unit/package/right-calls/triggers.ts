import * as z from "zod/mini";
import { settingsFrom } from "../../../../lib/chat/settings-from.ts";
import { anyText, anything, type RightCall, type RightCalls } from "../right-call.ts";

/** What has no names of its own is an object without options. */

const file = { default: {}, apps: {} };
const settings = () => settingsFrom(file, z.looseObject({}));
const fromSettings: RightCall = {
  args: () => [settings()],
  free: ["0"],
  takes: { "0.all": anything, "0.map": anything },
};

/** An effect of something within a group or a message, told by texts. */
const told = (fields: Readonly<Record<string, string>>, more: Partial<RightCall> = {}): RightCall => ({
  args: () => [{ ...fields }],
  ...more,
  takes: {
    ...Object.fromEntries(Object.keys(fields).map((name) => [`0.${name}`, anyText])),
    ...more.takes,
  },
});
const actor = { "0.onBehalfOf": anyText };
const membership = told({ guid: "lobby", uid: "bob", onBehalfOf: "alice" }, { takes: actor });
const reaction = told({ messageId: "1", reaction: "👀", onBehalfOf: "alice" });
const pin = told({ messageId: "1", onBehalfOf: "alice" }, { takes: actor });
const content = {
  ...{ receiver: "bob", receiverType: "user", onBehalfOf: "alice" },
  ...{ category: "message", type: "text", tags: ["a"], data: { text: "hi", metadata: { a: 1 } } },
};
const contentTakes = {
  ...{ "0.receiver": anyText, "0.onBehalfOf": anyText, "0.category": anyText, "0.type": anyText },
  ...{ "0.tags.0": anyText, "0.data.text": anything },
  ...{ "0.data.metadata.a": anything },
};
const freeContent = ["0.data", "0.data.metadata"];
const blocking: RightCall = {
  args: () => [{ uid: "alice", blockedUids: ["bob"] }],
  takes: { "0.uid": anyText, "0.blockedUids.0": anyText },
};

export const triggerCalls: RightCalls = {
  onTrigger: {
    args: () => [
      "message_sent",
      {
        where: {
          from: "anybody",
          group: "support-*",
          sender: ["a"],
          receiverType: "group",
          text: { words: ["a"] },
        },
        ...{ maxAge: "1h", settings: settings(), namesOf: () => [] },
      },
      async () => {},
    ],
    whole: ["1.settings"],
    takes: {
      "1.where.group": anyText,
      "1.where.sender": anyText,
      "1.where.sender.0": anyText,
      "1.where.text.words.0": anyText,
    },
    // What stands beside words is no condition, and read by nobody.
    free: ["1.where.text"],
  },
  "onTrigger without options": {
    args: () => [["message_sent", "group_created"], async () => {}],
  },
  createAutoReply: fromSettings,
  createWelcome: fromSettings,
  createEscalate: fromSettings,
  createForward: {
    args: () => [settingsFrom({ default: { enabled: false, triggers: [] }, apps: {} }, z.looseObject({}))],
    whole: ["0"],
  },
  settingsFrom: {
    args: () => [{ default: {}, apps: { "app-1": {} } }, z.object({})],
    free: ["0", "0.apps", "0.default", "0.apps.app-1"],
    takes: {
      "0.default": anything,
      "0.apps.app-1": anything,
    },
    whole: ["1"],
  },
  sameForEveryApp: { args: () => [{}], free: ["0"], takes: { 0: anything } },
  defineState: {
    args: () => ["first-today", z.object({ day: z.string() }), { per: "user", keepFor: "2d" }],
    whole: ["1"],
    takes: { 0: anyText },
  },
  secret: { args: () => ["ticket-token"], takes: { 0: anyText } },
  textPattern: { args: () => ["a+"], takes: { 0: anyText } },
  request: {
    args: () => [
      {
        ...{ url: "https://desk.example.com/", method: "POST", headers: { accept: "x" }, body: { a: 1 } },
        ...{ timeoutMs: 1, answer: z.object({}), inShadow: { status: 200, body: undefined } },
      },
    ],
    // Looked at when it is sent, by what the app allows.
    free: ["0.headers", "0.body", "0.inShadow"],
    whole: ["0.answer", "0.inShadow"],
    takes: {
      ...{ "0.url": anyText, "0.headers.accept": anything, "0.body": anything },
      ...{ "0.body.a": anything },
    },
  },
  createGroup: {
    args: () => [{ guid: "lobby", name: "Lobby", type: "public", onBehalfOf: "alice" }, { ifThere: "take" }],
    takes: { ...actor, "0.guid": anyText, "0.name": anyText },
  },
  createUser: {
    args: () => [{ uid: "alice", name: "Alice", metadata: { a: 1 } }, { ifThere: "take" }],
    free: ["0.metadata"],
    takes: {
      ...{ "0.uid": anyText, "0.name": anyText },
      // As the client takes it: what JSON leaves out is left out.
      "0.metadata.a": anything.filter((oddity) => oddity !== "hostile"),
    },
  },
  addMembers: {
    args: () => [{ guid: "lobby", admins: ["a"], moderators: ["b"], participants: ["c"], onBehalfOf: "d" }],
    takes: {
      ...{ ...actor, "0.guid": anyText, "0.admins.0": anyText },
      ...{ "0.moderators.0": anyText },
      ...{ "0.participants.0": anyText },
    },
  },
  banMember: membership,
  unbanMember: membership,
  kickMember: membership,
  changeScope: {
    args: () => [{ guid: "lobby", uid: "bob", scope: "admin", onBehalfOf: "alice" }],
    takes: { ...actor, "0.guid": anyText, "0.uid": anyText },
  },
  addReaction: reaction,
  removeReaction: reaction,
  deleteMessage: {
    args: () => [{ messageId: "1", permanent: true, onBehalfOf: "alice" }],
    takes: { ...actor, "0.messageId": anyText },
  },
  editMessage: {
    args: () => [{ messageId: "1", text: "hi", metadata: { a: 1 }, onBehalfOf: "alice" }],
    free: ["0.metadata"],
    takes: {
      ...{ ...actor, "0.messageId": anyText, "0.text": anyText },
      "0.metadata.a": ["null", "text"],
    },
  },
  pinMessage: pin,
  unpinMessage: pin,
  tagMessage: {
    args: () => [{ messageId: "1", add: ["a"], remove: ["b"], onBehalfOf: "alice" }],
    takes: {
      ...{ ...actor, "0.messageId": anyText, "0.add.0": anyText },
      ...{ "0.remove.0": anyText },
    },
  },
  flagMessage: told(
    { messageId: "1", reasonId: "spam", remark: "x", onBehalfOf: "alice" },
    { takes: { "0.remark": anyText } },
  ),
  reviewFlaggedMessage: told({ messageId: "1", status: "approved" }, { takes: { "0.status": [] } }),
  reviewBlockedMessage: told({ messageId: "1", status: "approved" }, { takes: { "0.status": [] } }),
  blockUsers: blocking,
  unblockUsers: blocking,
  sendText: {
    args: () => [
      { receiver: "bob", receiverType: "user", onBehalfOf: "alice", text: "hi", metadata: { a: 1 } },
      { isRemembered: true },
    ],
    free: ["0.metadata"],
    takes: {
      ...{ "0.receiver": anyText, "0.onBehalfOf": anyText, "0.text": anyText },
      ...{
        "0.metadata.a": anything,
      },
    },
  },
  sendMessage: {
    args: () => [{ ...content, quotedMessageId: "1" }, { isRemembered: true }],
    free: freeContent,
    takes: { ...contentTakes, "0.quotedMessageId": anyText },
  },
  replyInThread: {
    args: () => [{ ...content, parentId: "1" }, { isRemembered: true }],
    free: freeContent,
    takes: { ...contentTakes, "0.parentId": anyText },
  },
};
