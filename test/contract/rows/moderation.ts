import { expect } from "vitest";
import {
  blocked,
  file,
  flagged,
  message,
  moderated,
  newKeywords,
  newReason,
  newRule,
  rule,
  type Sample,
  text,
  type World,
} from "../prepare.ts";
import { holding, isListed, pluck, type Rows, sent, succeeded, theMessage } from "../row.ts";

const reason = { id: "off-topic", name: "Off topic" };
const spam = { sender: "alice", receiver: "bob", data: { text: "buy spam" } };
const clean = { ...text, sender: "alice", conversationId: "alice_user_bob" };

const noPath = (prepare: (world: World) => Promise<Sample>) => async (world: World) => {
  await prepare(world);
  return {};
};

/** A message that a rule has blocked and somebody has looked at. */
const reviewed = async (world: World): Promise<Sample> => {
  const { path = {} } = await blocked(world);
  await world.chat.blockedMessages.review(path.id ?? "", { status: "rejected", reviewed: true });
  return {};
};

export const moderationRows: Rows = {
  "create-reason": {
    given: { input: { ...reason, description: "…" } },
    answers: sent,
    leaves: [({ chat }) => chat.reasons.get("off-topic"), sent],
  },
  "list-reasons": {
    given: noPath(newReason),
    answers: [{ id: "spam" }, { id: "sexual" }, { id: "harassment" }, reason],
  },
  "get-reason-details": { given: newReason, answers: reason },
  "update-reason-details": {
    given: async (world) => ({ ...(await newReason(world)), input: { name: "Elsewhere" } }),
    answers: { id: "off-topic", name: "Elsewhere" },
    leaves: [({ chat }) => chat.reasons.get("off-topic"), { name: "Elsewhere" }],
  },
  "delete-reason": {
    given: newReason,
    answers: { ...succeeded, message: expect.stringContaining("off-topic") },
    leaves: [({ chat }) => pluck(chat.reasons.list(), "id"), ["spam", "sexual", "harassment"]],
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
    given: noPath(flagged),
    answers: [{ ...clean, flaggedCount: 1, flaggedBy: [{ uid: "bob", reasonId: "off-topic" }] }],
  },
  "blockreview-flagged-message": {
    given: async (world) => ({ ...(await flagged(world)), input: { status: "approved" } }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [({ chat }) => pluck(chat.flaggedMessages.list(), "id"), []],
  },
  "list-reviewed-messages": { given: reviewed, answers: [{ ruleId: "no-spam", message: spam }] },
  "list-moderation-blocked-messages": {
    given: noPath(blocked),
    answers: [{ ruleId: "no-spam", message: spam }],
  },
  "review-blocked-message": {
    given: async (world) => ({
      ...(await blocked(world)),
      input: { status: "approved", reviewed: true },
    }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [({ chat }) => pluck(chat.blockedMessages.list(), "id"), []],
  },
  "approve-moderation-blocked-messages": {
    given: async (world) => ({ ...(await blocked(world)), input: { status: "approved" } }),
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("messageId")) }),
    leaves: [({ chat }) => pluck(chat.blockedMessages.list(), "id"), []],
  },
  "create-rule": {
    given: { input: rule },
    answers: sent,
    leaves: [({ chat }) => chat.moderationRules.get("no-spam"), sent],
  },
  "list-rules": {
    given: noPath(newRule),
    answers: holding({ id: "no-spam", name: "No spam" }),
  },
  "get-rule": { given: newRule, answers: rule },
  "update-rule": {
    given: async (world) => ({ ...(await newRule(world)), input: { ...rule, enabled: false } }),
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
    given: noPath(newKeywords),
    answers: [{ id: "profanity-list" }, { id: "rude", category: "word", searchTerms: ["darn"] }],
  },
  "get-rule-keyword": { given: newKeywords, answers: { id: "rude", searchTerms: ["darn"] } },
  "update-rule-keyword": {
    given: async (world) => ({
      ...(await newKeywords(world)),
      input: { category: "word", searchTerms: ["heck"] },
    }),
    answers: { id: "rude", category: "word", searchTerms: ["heck"] },
    leaves: [({ chat }) => chat.keywordLists.get("rude"), { searchTerms: ["heck"] }],
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
    given: async (world) => {
      await blocked(world);
      return { input: { moderationStatus: "disapproved" } };
    },
    answers: [spam],
  },
  "chat-api-get-message-moderation": {
    given: moderated,
    answers: ({ path }) => ({ ...clean, id: path("id") }),
  },
  "chat-api-update-message-moderation": {
    given: async (world) => ({ ...(await moderated(world)), input: { data: { text: "x" } } }),
    answers: ({ path }) => ({ id: path("id"), sender: "alice", data: { text: "x" } }),
    leaves: [({ chat }, { path }) => chat.moderatedMessages.get(path("id")), { data: { text: "x" } }],
  },
  "chat-api-delete-message-moderation": {
    given: moderated,
    answers: ({ path }) => ({ ...succeeded, message: expect.stringContaining(path("id")) }),
    leaves: [theMessage, { deletedAt: expect.any(Number) }],
  },
};
