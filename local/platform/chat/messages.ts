import { type Reply, reply } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { requireMessage } from "./message-access.ts";
import { removeMessage, updateMessage } from "./message-change.ts";
import { listAllMessages, listGroupMessages, listUserMessages } from "./message-lists.ts";
import { postMessage } from "./message-send.ts";
import { presentMessage } from "./message-view.ts";

const route = appFamily("docs/platform/messages.md#messages", { onBehalfOf: "optional" });

// Checked although they have no effect here, or only together with others.
const unreadParameters = {
  query: { mentionsWithBlockedInfo: "boolean", mentionsWithTagInfo: "boolean", toTimestamp: "integer" },
} as const;

/** Declares the message family (pins, saves and interactions are families of their own). */
export const messageRoutes: readonly AppRoute[] = [
  route("send-message", "POST /messages", postMessage, {
    assumptions: [
      "Without onBehalfOf the sender is app_system.",
      "multipleReceivers answers per-item results under `uids` and `guids`.",
      "A block in either direction refuses a one-to-one message: ERR_BLOCKED_RECEIVER, ERR_BLOCKED_SENDER.",
      "A form has the names of the JSON body as fields, JSON in data, tags and multipleReceivers; each file becomes an attachment.",
      "A user who has not joined a group cannot write to it: ERR_GROUP_NOT_JOINED.",
    ],
  }),
  route("list-all-messages", "GET /messages", listAllMessages, {
    input: unreadParameters,
    assumptions: [
      "Oldest first within an answer; without `affix` from the beginning.",
      "`count=true` answers {count} alone.",
      "One-to-one messages carry deliveredAt and readAt of their receiver.",
      "Replies count as unread; messages of the categories message, custom and interactive count.",
    ],
  }),
  route("get-message-details", "GET /messages/{id}", getMessage),
  route("update-message", "PUT /messages/{id}", updateMessage, {
    input: { needs: { any: ["data", "tags"] } },
  }),
  route("delete-message", "DELETE /messages/{id}", removeMessage, {
    assumptions: ["The answer's action is `deleted`.", "`permanent` answers an acknowledgement."],
  }),
  route("user-list-user-messages", "GET /users/{uid}/messages", listUserMessages, {
    input: unreadParameters,
    assumptions: ["Without onBehalfOf all one-to-one messages of the user are listed."],
  }),
  route("user-list-group-messages", "GET /groups/{guid}/messages", listGroupMessages, {
    input: unreadParameters,
    assumptions: ["A user who has not joined the group is refused: ERR_GROUP_NOT_JOINED."],
  }),
];

function getMessage(request: AppRequest): Reply {
  return reply(presentMessage(request, requireMessage(request)));
}
