import { isRecord, readPath } from "../../../lib/base/json.ts";
import { textAt } from "../read-value.ts";
import type { ActionContext, MemberPlace, Values } from "./do-action.ts";

interface PlatformAction {
  /** Continues "The platform would". */
  readonly words: string;
  /** Creates the needed resources, and returns values for each time that the requests are sent. */
  readonly prepare: (context: ActionContext) => Promise<readonly Values[]>;
  readonly requests: readonly string[];
  readonly body?: ((data: ActionContext["data"], values: Values) => object) | undefined;
}

export function actionOf(trigger: string, family: string): string | undefined {
  return family === "webhook" && Object.hasOwn(actions, trigger) ? actions[trigger]?.words : undefined;
}

export async function doAction(trigger: string, context: ActionContext): Promise<void> {
  const action = actions[trigger];
  for (const values of (await action?.prepare(context)) ?? []) {
    for (const line of action?.requests ?? [])
      await context.ask(line, values, action?.body?.(context.data, values));
  }
}

function act(
  words: string,
  prepare: PlatformAction["prepare"],
  requests: string | readonly string[],
  body?: PlatformAction["body"],
): PlatformAction {
  return { words, prepare, requests: [requests].flat(), body };
}

const actions: Readonly<Record<string, PlatformAction>> = {
  message_sent: act(
    "store the message",
    async ({ data }) => [{ sender: textAt(data, "message.sender") }],
    "POST messages as sender",
    (data) => {
      const { receiver, receiverType, category, type, parentId, tags } = recordAt(data, "message");
      const { entities: _, ...content } = recordAt(data, "message.data");
      return { receiver, receiverType, category, type, parentId, tags, data: content };
    },
  ),
  message_edited: act("change the message", aMessage, "PUT messages/{id} as by", (data) => {
    const text = textAt(data, "message.data.entities.on.entity.data.text", "message.data.text");
    return { data: { text: text || "changed" } };
  }),
  message_deleted: act("delete the message", aMessage, "DELETE messages/{id} as by"),
  message_pinned: act("pin the message", aMessage, "POST messages/{id}/pin as by"),
  message_unpinned: act("pin the message and unpin it", aMessage, [
    "?POST messages/{id}/pin as by",
    "DELETE messages/{id}/pin as by",
  ]),
  message_reaction_added: act(
    "record the reaction",
    aMessage,
    "POST messages/{id}/reactions/{reaction} as by",
  ),
  message_reaction_removed: act("record the reaction and remove it", aMessage, [
    "?POST messages/{id}/reactions/{reaction} as by",
    "DELETE messages/{id}/reactions/{reaction} as by",
  ]),
  message_delivery_receipt: act(
    "record that it was delivered",
    aMessage,
    "CLIENT messages/{id}/delivered as by",
  ),
  message_read_receipt: act("record that it was read", aMessage, "CLIENT messages/{id}/read as by"),
  user_blocked: act("block the user", aUser, "POST users/{by}/blockedusers", blockedIn),
  user_unblocked: act(
    "block and unblock the user",
    aUser,
    ["POST users/{by}/blockedusers", "DELETE users/{by}/blockedusers"],
    blockedIn,
  ),
  user_connection_status_changed: act("connect or disconnect the user's client", aUser, [
    "CLIENT users/{uid}/connect",
    "CLIENT users/{uid}/{status}",
  ]),
  group_created: act("make the group", aGroup, "POST groups as owner", (data) => {
    const { guid, name, type } = recordAt(data, "group");
    return { guid, name, type };
  }),
  group_updated: act("change the group", aGroup, "PUT groups/{guid}", (data) => {
    const { name, description, icon } = recordAt(data, "group");
    return { name: `${name}`, description, icon };
  }),
  group_deleted: act("delete the group", ownedBy("group.owner"), "DELETE groups/{guid}"),
  group_owner_transferred: act(
    "transfer the group to its new owner",
    ownedBy("group.oldOwner"),
    "PUT groups/{guid}",
    (_, { owner }) => ({ owner }),
  ),
  group_member_added: act(
    "add the member",
    members("outside"),
    "POST groups/{guid}/members as by or app",
    (_, { uid }) => ({ participants: [uid] }),
  ),
  group_member_joined: act("let the member join", members("outside"), "CLIENT groups/{guid}/join as uid"),
  group_member_left: act("let the member leave", members("participant"), "CLIENT groups/{guid}/leave as uid"),
  group_member_kicked: act(
    "remove the member",
    members("participant"),
    "DELETE groups/{guid}/members/{uid} as by or app",
  ),
  group_member_banned: act(
    "ban the member",
    members("participant"),
    "POST groups/{guid}/bannedusers/{uid} as by or app",
  ),
  group_member_unbanned: act(
    "lift the ban",
    members("banned"),
    "DELETE groups/{guid}/bannedusers/{uid} as by or app",
  ),
  group_member_scope_changed: act(
    "change the member's scope",
    members("participant"),
    "PUT groups/{guid}/members/{uid} as by or app",
    (data, { uid }) => ({ scope: textAt(recordAt(data, "members"), `${uid}.scope`) || "admin" }),
  ),
  call_initiated: act("ring", aCall, []),
  call_busy: act("ring a callee who is busy", aCall, "CLIENT calls/{id}/busy as callee"),
  call_rejected: act("ring until the callee declines", aCall, "CLIENT calls/{id}/reject as callee"),
  call_cancelled: act("ring until the caller cancels", aCall, "CLIENT calls/{id}/cancel as caller"),
  call_unanswered: act("ring until the time is up", aCall, "CLIENT calls/{id}/unanswered"),
  ...Object.fromEntries(
    ["call_started", "call_participant_joined", "call_participant_left", "call_ended"].map((trigger) => [
      trigger,
      // Ends the call: a user can be in only one.
      act("ring, let them talk, and end it", aCall, [
        "CLIENT calls/{id}/answer as callee",
        "CLIENT calls/{id}/end",
      ]),
    ]),
  ),
  meeting_started: act("open the meeting", aMeeting, []),
  meeting_participant_joined: act("let a user join the meeting", aMeeting, []),
  meeting_participant_left: act(
    "let a user join the meeting and leave",
    aMeeting,
    "CLIENT calls/{id}/leave as uid",
  ),
  meeting_ended: act("open and end the meeting", aMeeting, "CLIENT calls/{id}/end"),
  recording_generated: act("hold a meeting and record it", aMeeting, [
    "CLIENT calls/{id}/end",
    "CLIENT calls/{id}/recording",
  ]),
  transcription_generated: act("hold a meeting and transcribe it", aMeeting, [
    "CLIENT calls/{id}/end",
    "CLIENT calls/{id}/transcription",
  ]),
};

/** Creates another message for events that name it only by an id, which cannot be chosen. */
async function aMessage({ data, ask }: ActionContext) {
  const on = "message.data.entities.on.entity";
  const known = textAt(data, `${on}.id`, "message.id", "reaction.messageId", "body.messageId");
  const reaction = textAt(data, "reaction.reaction");
  const by = textAt(
    data,
    ...["message.editedBy", "message.deletedBy", "message.pinnedBy", "reaction.uid"],
    ...["body.user.uid", "message.sender"],
  );
  if ((await ask("?GET messages/{id}", { id: known })) !== undefined) return [{ id: known, by, reaction }];
  const author = textAt(data, `${on}.sender`, "messageSender", "message.sender", "reaction.uid") || "ann";
  const other = textAt(data, `${on}.receiver`, "body.user.uid", "message.receiver");
  const receiver = other === "" || other === author ? (author === "bela" ? "ann" : "bela") : other;
  const receiverType = textAt(data, `${on}.receiverType`, "message.receiverType") || "user";
  const body = { receiver, receiverType, category: "message", type: "text", data: { text: "Hello" } };
  const sent = await ask("POST messages as author", { author }, body);
  return [{ id: textAt(sent, "data.id"), by, reaction }];
}

async function aUser({ data }: ActionContext) {
  const isOffline = textAt(data, "status", "user.status") === "offline";
  const status = isOffline ? "disconnect" : "connect";
  return [{ by: textAt(data, "by.uid"), uid: textAt(data, "user.uid"), status }];
}

async function aGroup({ data }: ActionContext) {
  return [{ guid: textAt(data, "group.guid"), owner: textAt(data, "group.owner") }];
}

function ownedBy(path: string): PlatformAction["prepare"] {
  return async (context) => {
    const [group] = await aGroup(context);
    const { guid = "", owner = "" } = group ?? {};
    const before = textAt(context.data, path) || "ann";
    context.seed({ groups: [{ guid, name: guid, owner: before, members: { [before]: "admin" } }] });
    if (owner !== before) context.placeMember(guid, owner, "participant");
    return [{ guid, owner }];
  };
}

function members(before: MemberPlace): PlatformAction["prepare"] {
  return async ({ data, seed, placeMember }) => {
    const guid = textAt(data, "group.guid");
    const by = textAt(data, "by.uid", "group.owner");
    seed({ groups: [{ guid, name: guid, owner: by, members: { [by]: "admin" } }] });
    return Object.keys(recordAt(data, "members")).map((uid) => {
      placeMember(guid, uid, before);
      return { guid, uid, by: uid === by ? "" : by };
    });
  };
}

async function aCall({ data, ask }: ActionContext) {
  const caller = textAt(data, "call.data.entities.by.entity.uid", "call.sender") || "ann";
  const receiver = textAt(data, "call.receiver") || "bela";
  const callee = receiver === caller ? textAt(data, "call.sender") : receiver;
  const receiverType = textAt(data, "call.receiverType") || "user";
  const type = textAt(data, "call.type") || "audio";
  const placed = await ask("CLIENT calls", {}, { caller, receiver: callee, receiverType, type });
  return [{ id: textAt(placed, "data.sessionId", "sessionId", "data.sessionid"), caller, callee }];
}

async function aMeeting({ data, ask }: ActionContext) {
  const values = { id: textAt(data, "sessionId"), uid: textAt(data, "occupant.uid") || "ann" };
  await ask("CLIENT meetings/{id}/join as uid", values);
  return [values];
}

function recordAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  const found = readPath(value, path);
  return isRecord(found) ? found : {};
}

function blockedIn(data: ActionContext["data"]): object {
  return { blockedUids: Object.keys(recordAt(data, "users")) };
}
