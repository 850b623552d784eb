import * as z from "zod/mini";
import { settingsFrom } from "../../../../lib/chat/settings-from.ts";
import type { RightCall, RightCalls } from "../right-call.ts";

/** An input without names is an object without options. */

const file = { default: {}, apps: {} };
const settings = () => settingsFrom(file, z.looseObject({}));
const fromSettings: RightCall = {
  args: [settings()],
  free: ["0"],
};

const told = (fields: object): RightCall => ({ args: [{ ...fields }] });
const membership = told({ guid: "lobby", uid: "bob", onBehalfOf: "alice" });
const reaction = told({ messageId: "1", reaction: "👀", onBehalfOf: "alice" });
const pin = told({ messageId: "1", onBehalfOf: "alice" });
const content = {
  receiver: "bob",
  receiverType: "user",
  onBehalfOf: "alice",
  category: "message",
  type: "text",
  tags: ["a"],
  data: { text: "hi", metadata: { a: 1 } },
};
const freeContent = ["0.data", "0.data.metadata"];
const blocking: RightCall = {
  args: [{ uid: "alice", blockedUids: ["bob"] }],
};

export const triggerCalls: RightCalls = {
  onTrigger: {
    args: [
      "message_sent",
      {
        where: {
          from: "anybody",
          group: "support-*",
          sender: ["a"],
          receiverType: "group",
          text: { words: ["a"] },
        },
        maxAge: "1h",
        settings: settings(),
        namesOf: () => [],
      },
      async () => {},
    ],
    whole: ["1.settings"],
    // Fields beside words are not conditions, and are ignored.
    free: ["1.where.text"],
  },
  "onTrigger without options": {
    args: [["message_sent", "group_created"], async () => {}],
  },
  createAutoReply: fromSettings,
  createWelcome: fromSettings,
  createEscalate: fromSettings,
  createForward: {
    args: [settingsFrom({ default: { enabled: false, triggers: [] }, apps: {} }, z.looseObject({}))],
    whole: ["0"],
  },
  settingsFrom: {
    args: [{ default: {}, apps: { "app-1": {} } }, z.object({})],
    free: ["0", "0.apps", "0.default", "0.apps.app-1"],
    whole: ["1"],
  },
  sameForEveryApp: { args: [{}], free: ["0"] },
  defineState: {
    args: ["first-today", z.object({ day: z.string() }), { per: "user", keepFor: "2d" }],
    whole: ["1"],
  },
  secret: { args: ["ticket-token"] },
  textPattern: { args: ["a+"] },
  request: {
    args: [
      {
        url: "https://desk.example.com/",
        method: "POST",
        headers: { accept: "x" },
        body: { a: 1 },
        timeoutMs: 1,
        answer: z.object({}),
        inShadow: { status: 200, body: undefined },
      },
    ],
    // Checked when it is sent, by the app's settings.
    free: ["0.headers", "0.body", "0.inShadow"],
    whole: ["0.answer", "0.inShadow"],
  },
  createGroup: {
    args: [{ guid: "lobby", name: "Lobby", type: "public", onBehalfOf: "alice" }, { ifThere: "take" }],
  },
  createUser: {
    args: [{ uid: "alice", name: "Alice", metadata: { a: 1 } }, { ifThere: "take" }],
    free: ["0.metadata"],
  },
  addMembers: {
    args: [{ guid: "lobby", admins: ["a"], moderators: ["b"], participants: ["c"], onBehalfOf: "d" }],
  },
  banMember: membership,
  unbanMember: membership,
  kickMember: membership,
  changeScope: {
    args: [{ guid: "lobby", uid: "bob", scope: "admin", onBehalfOf: "alice" }],
  },
  addReaction: reaction,
  removeReaction: reaction,
  deleteMessage: {
    args: [{ messageId: "1", permanent: true, onBehalfOf: "alice" }],
  },
  editMessage: {
    args: [{ messageId: "1", text: "hi", metadata: { a: 1 }, onBehalfOf: "alice" }],
    free: ["0.metadata"],
  },
  pinMessage: pin,
  unpinMessage: pin,
  tagMessage: {
    args: [{ messageId: "1", add: ["a"], remove: ["b"], onBehalfOf: "alice" }],
  },
  flagMessage: told({ messageId: "1", reasonId: "spam", remark: "x", onBehalfOf: "alice" }),
  reviewFlaggedMessage: told({ messageId: "1", status: "approved" }),
  reviewBlockedMessage: told({ messageId: "1", status: "approved" }),
  blockUsers: blocking,
  unblockUsers: blocking,
  sendText: {
    args: [
      { receiver: "bob", receiverType: "user", onBehalfOf: "alice", text: "hi", metadata: { a: 1 } },
      { isRemembered: true },
    ],
    free: ["0.metadata"],
  },
  sendMessage: {
    args: [{ ...content, quotedMessageId: "1" }, { isRemembered: true }],
    free: freeContent,
  },
  replyInThread: {
    args: [{ ...content, parentId: "1" }, { isRemembered: true }],
    free: freeContent,
  },
};
