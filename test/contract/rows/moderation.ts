import { expect } from "vitest";
import {
  after,
  blocked,
  file,
  flagged,
  message,
  moderated,
  newKeywords,
  newReason,
  newRule,
  reason,
  rule,
  type Sample,
  text,
  type World,
  withInput,
} from "../prepare.ts";
import { holding, isListed, kept, pluck, type Rows, sent, succeeded, theMessage } from "../row.ts";

const spam = { sender: "alice", receiver: "bob", data: { text: "buy spam" } };
const builtIn = { keywordId: "profanity-list" };
const clean = { ...text, sender: "alice", conversationId: "alice_user_bob" };

/** A message that a rule has blocked and a moderator has reviewed. */
const reviewed = async (world: World): Promise<Sample> => {
  const { path = {} } = await blocked(world);
  await world.chat.blockedMessages.review(path.id ?? "", { status: "rejected", reviewed: true });
  return {};
};

export const moderationRows: Rows = {
  ...kept({
    ids: {
      create: "create-reason",
      list: "list-reasons",
      delete: "delete-reason",
    },
    list: ({ chat }) => chat.reasons.list(),
    make: newReason,
    builtIn: [{ id: "spam" }, { id: "sexual" }, { id: "harassment" }],
    shown: reason,
    deleted: { ...succeeded, message: expect.stringContaining("off-topic") },
  }),
  "get-reason-details": { given: { path: { id: "spam" } }, answers: { id: "spam", default: true } },
  "update-reason-details": {
    given: { path: { id: "spam" }, input: { name: "Elsewhere" } },
    answers: { id: "spam", name: "Elsewhere" },
    leaves: [({ chat }) => chat.reasons.get("spam"), { name: "Elsewhere" }],
  },
  "flag-a-message": {
    given: async (world) => {
      await newReason(world);
      const { path = {} } = await message(world);
      return { path, input: { reasonId: "off-topic" }, onBehalfOf: "bob" };
    },
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [({ chat }) => pluck(chat.flaggedMessages.list(), "flaggedCount"), [1]],
  },
  "list-flagged-messages": {
    given: after(flagged),
    answers: [{ ...clean, flaggedCount: 1, flaggedBy: [{ uid: "bob", reasonId: "off-topic" }] }],
  },
  "blockreview-flagged-message": {
    given: withInput(flagged, { status: "approved" }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [({ chat }) => pluck(chat.flaggedMessages.list(), "id"), []],
  },
  "list-reviewed-messages": { given: reviewed, answers: [{ ruleId: "no-spam", message: spam }] },
  "list-moderation-blocked-messages": {
    given: after(blocked),
    answers: [{ ruleId: "no-spam", message: spam }],
  },
  "review-blocked-message": {
    given: withInput(blocked, { status: "approved", reviewed: true }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [({ chat }) => pluck(chat.blockedMessages.list(), "id"), []],
  },
  "approve-moderation-blocked-messages": {
    given: withInput(blocked, { status: "approved" }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("messageId")) }),
    leaves: [({ chat }) => pluck(chat.blockedMessages.list(), "id"), []],
  },
  "create-rule": {
    given: { input: rule },
    answers: sent,
    leaves: [({ chat }) => chat.moderationRules.get("no-spam"), sent],
  },
  "list-rules": {
    given: after(newRule),
    answers: holding({ id: "no-spam", name: "No spam" }),
  },
  "get-rule": { given: newRule, answers: rule },
  "update-rule": {
    given: withInput(newRule, { ...rule, enabled: false }),
    answers: sent,
    leaves: [({ chat }) => chat.moderationRules.get("no-spam"), { enabled: false }],
  },
  "delete-rule": {
    given: newRule,
    answers: { ...succeeded, message: expect.stringContaining("no-spam") },
    leaves: [({ chat }) => isListed(chat.moderationRules.list(), "id", "no-spam"), "gone"],
  },
  "list-rule-revisions": {
    given: newRule,
    answers: [{ ...rule, revisionId: expect.stringContaining("no-spam") }],
  },
  "create-rule-keyword": {
    given: { input: { id: "rude", category: "word", searchTerms: ["darn"], file: file() } },
    answers: { id: "rude", category: "word", searchTerms: ["word"], isCSV: true },
    leaves: [({ chat }) => pluck(chat.keywordLists.list(), "id"), ["profanity-list", "rude"]],
  },
  "list-rule-keywords": {
    given: after(newKeywords),
    answers: [{ id: "profanity-list" }, { id: "rude", category: "word", searchTerms: ["darn"] }],
  },
  "get-rule-keyword": { given: { path: builtIn }, answers: { id: "profanity-list", default: true } },
  "update-rule-keyword": {
    given: { path: builtIn, input: { category: "word", searchTerms: ["heck"] } },
    answers: { id: "profanity-list", category: "word", searchTerms: ["heck"] },
    leaves: [({ chat }) => chat.keywordLists.get("profanity-list"), { searchTerms: ["heck"] }],
  },
  "delete-rule-keyword": {
    given: newKeywords,
    answers: { ...succeeded, message: expect.stringContaining("rude") },
    leaves: [({ chat }) => pluck(chat.keywordLists.list(), "id"), ["profanity-list"]],
  },
  "chat-api-send-message-moderation": {
    given: { input: { ...text, sender: "alice" } },
    answers: clean,
    leaves: [({ chat }) => pluck(chat.messages.list({ limit: 5 }), "sender"), ["alice"]],
  },
  "chat-api-list-message-moderation": {
    given: after(blocked, { input: { moderationStatus: "disapproved" } }),
    answers: [spam],
  },
  "chat-api-get-message-moderation": {
    given: moderated,
    answers: ({ path }) => ({ ...clean, id: path("id") }),
  },
  "chat-api-update-message-moderation": {
    given: withInput(moderated, { data: { text: "x" } }),
    answers: ({ path }) => ({ id: path("id"), sender: "alice", data: { text: "x" } }),
    leaves: [({ chat }, { path }) => chat.moderatedMessages.get(path("id")), { data: { text: "x" } }],
  },
  "chat-api-delete-message-moderation": {
    given: moderated,
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [theMessage, { deletedAt: expect.any(Number) }],
  },
};
