import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { requireMessage } from "./message-access.ts";
import { removeMessage, updateMessage } from "./message-change.ts";
import { listAllMessages, listGroupMessages, listUserMessages } from "./message-lists.ts";
import { postMessage } from "./message-send.ts";
import { presentMessage } from "./message-view.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/messages.md#messages",
  onBehalfOf: "optional",
} as const;

// Checked although they have no effect here, or only together with others.
const unreadParameters = {
  query: { mentionsWithBlockedInfo: "boolean", mentionsWithTagInfo: "boolean", toTimestamp: "integer" },
} as const;

/** Declares the message family (pins, saves and interactions are families of their own). */
export const messageRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "send-message",
    method: "POST",
    path: "/messages",
    assumptions: [
      "Without onBehalfOf the sender is app_system.",
      "multipleReceivers answers per-item results under `uids` and `guids`.",
      "A block in either direction refuses a one-to-one message: ERR_BLOCKED_RECEIVER, ERR_BLOCKED_SENDER.",
      "A form has the names of the JSON body as fields, JSON in data, tags and multipleReceivers; each file becomes an attachment.",
      "A user who has not joined a group cannot write to it: ERR_GROUP_NOT_JOINED.",
    ],
    handler: postMessage,
  },
  {
    ...base,
    operationId: "list-all-messages",
    input: unreadParameters,
    method: "GET",
    path: "/messages",
    assumptions: [
      "Oldest first within an answer; without `affix` from the beginning.",
      "`count=true` answers {count} alone.",
      "One-to-one messages carry deliveredAt and readAt of their receiver.",
      "Replies count as unread; messages of the categories message, custom and interactive count.",
    ],
    handler: listAllMessages,
  },
  { ...base, operationId: "get-message-details", method: "GET", path: "/messages/{id}", handler: getMessage },
  {
    ...base,
    operationId: "update-message",
    input: { needs: { any: ["data", "tags"] } },
    method: "PUT",
    path: "/messages/{id}",
    handler: updateMessage,
  },
  {
    ...base,
    operationId: "delete-message",
    method: "DELETE",
    path: "/messages/{id}",
    assumptions: ["The answer's action is `deleted`.", "`permanent` answers an acknowledgement."],
    handler: removeMessage,
  },
  {
    ...base,
    operationId: "user-list-user-messages",
    input: unreadParameters,
    method: "GET",
    path: "/users/{uid}/messages",
    assumptions: ["Without onBehalfOf all one-to-one messages of the user are listed."],
    handler: listUserMessages,
  },
  {
    ...base,
    operationId: "user-list-group-messages",
    input: unreadParameters,
    method: "GET",
    path: "/groups/{guid}/messages",
    assumptions: ["A user who has not joined the group is refused: ERR_GROUP_NOT_JOINED."],
    handler: listGroupMessages,
  },
];

function getMessage(request: AppRequest): Reply {
  return reply(presentMessage(request, requireMessage(request)));
}
