import {
  type ActionContext,
  inGroup,
  inMeeting,
  onCall,
  onGroup,
  onMessage,
  type PlatformAction,
  part,
  record,
  text,
} from "./action-makers.ts";

/** Undefined if the console has none. */
export function actionOf(trigger: string, family: string): string | undefined {
  return family === "webhook" && Object.hasOwn(actions, trigger) ? actions[trigger]?.words : undefined;
}

/** @throws Error with the platform's answer */
export async function doAction(trigger: string, context: ActionContext): Promise<void> {
  await actions[trigger]?.run(context);
}

const actions: Readonly<Record<string, PlatformAction>> = {
  message_sent: {
    words: "store the message",
    run: ({ chat, data }) => {
      const { receiver, receiverType, category, type, parentId, tags } = record(data, "message");
      const { entities: _, ...content } = record(data, "message.data");
      const body = { receiver, receiverType, category, type, parentId, tags, data: content };
      return chat("POST", "messages", body, text(data, "message.sender"));
    },
  },
  message_edited: onMessage("change the message", ({ chat, data }, id, by) => {
    const content = text(data, "message.data.entities.on.entity.data.text", "message.data.text");
    return chat("PUT", `messages/${part(id)}`, { data: { text: content || "changed" } }, by);
  }),
  message_deleted: onMessage("delete the message", ({ chat }, id, by) =>
    chat("DELETE", `messages/${part(id)}`, undefined, by),
  ),
  message_pinned: onMessage("pin the message", ({ chat }, id, by) =>
    chat("POST", `messages/${part(id)}/pin`, {}, by),
  ),
  message_unpinned: onMessage("pin the message and unpin it", async ({ chat }, id, by) => {
    await chat("POST", `messages/${part(id)}/pin`, {}, by).catch(() => undefined); // pinned already
    await chat("DELETE", `messages/${part(id)}/pin`, undefined, by);
  }),
  message_reaction_added: onMessage("record the reaction", ({ chat, data }, id, by) =>
    chat("POST", `messages/${part(id)}/reactions/${part(text(data, "reaction.reaction"))}`, {}, by),
  ),
  message_reaction_removed: onMessage("record the reaction and remove it", async ({ chat, data }, id, by) => {
    const path = `messages/${part(id)}/reactions/${part(text(data, "reaction.reaction"))}`;
    await chat("POST", path, {}, by).catch(() => undefined); // there already
    await chat("DELETE", path, undefined, by);
  }),
  message_delivery_receipt: onMessage("record that it was delivered", ({ act }, id, uid) =>
    act(`messages/${part(id)}/delivered`, { uid }),
  ),
  message_read_receipt: onMessage("record that it was read", ({ act }, id, uid) =>
    act(`messages/${part(id)}/read`, { uid }),
  ),
  user_blocked: {
    words: "block the user",
    run: ({ chat, data }) =>
      chat("POST", `users/${part(text(data, "by.uid"))}/blockedusers`, blockedOf(data)),
  },
  user_unblocked: {
    words: "block and unblock the user",
    run: async ({ chat, data }) => {
      const path = `users/${part(text(data, "by.uid"))}/blockedusers`;
      await chat("POST", path, blockedOf(data));
      await chat("DELETE", path, blockedOf(data));
    },
  },
  user_connection_status_changed: {
    words: "connect or disconnect the user's client",
    run: async ({ act, data }) => {
      const path = `users/${part(text(data, "user.uid"))}`;
      await act(`${path}/connect`, {});
      if (text(data, "status", "user.status") === "offline") await act(`${path}/disconnect`, {});
    },
  },
  group_created: {
    words: "make the group",
    run: ({ chat, data }) => {
      const { guid, name, type } = record(data, "group");
      return chat("POST", "groups", { guid, name, type }, text(data, "group.owner"));
    },
  },
  group_updated: onGroup("change the group", ({ chat, data }, guid) => {
    const { name, description, icon } = record(data, "group");
    return chat("PUT", `groups/${part(guid)}`, { name: `${name}`, description, icon });
  }),
  group_deleted: onGroup("delete the group", ({ chat, seedGroup, data }, guid) => {
    seedGroup(guid, text(data, "group.owner"));
    return chat("DELETE", `groups/${part(guid)}`);
  }),
  group_owner_transferred: onGroup("transfer the group to its new owner", (context, guid) => {
    const { chat, seedGroup, placeMember, data } = context;
    const owner = text(data, "group.owner");
    seedGroup(guid, text(data, "group.oldOwner") || "ann");
    placeMember(guid, owner, "participant");
    return chat("PUT", `groups/${part(guid)}`, { owner });
  }),
  group_member_added: inGroup("add the member", "outside", ({ chat }, { guid, uid, by }) =>
    chat("POST", `groups/${part(guid)}/members`, { participants: [uid] }, by),
  ),
  group_member_joined: inGroup("let the member join", "outside", ({ act }, { guid, uid }) =>
    act(`groups/${part(guid)}/join`, { uid }),
  ),
  group_member_left: inGroup("let the member leave", "participant", ({ act }, { guid, uid }) =>
    act(`groups/${part(guid)}/leave`, { uid }),
  ),
  group_member_kicked: inGroup("remove the member", "participant", ({ chat }, { guid, uid, by }) =>
    chat("DELETE", `groups/${part(guid)}/members/${part(uid)}`, undefined, by),
  ),
  group_member_banned: inGroup("ban the member", "participant", ({ chat }, { guid, uid, by }) =>
    chat("POST", `groups/${part(guid)}/bannedusers/${part(uid)}`, {}, by),
  ),
  group_member_unbanned: inGroup("lift the ban", "banned", ({ chat }, { guid, uid, by }) =>
    chat("DELETE", `groups/${part(guid)}/bannedusers/${part(uid)}`, undefined, by),
  ),
  group_member_scope_changed: inGroup(
    "change the member's scope",
    "participant",
    ({ chat, data }, { guid, uid, by }) => {
      const scope = text(record(data, "members"), `${uid}.scope`) || "admin";
      return chat("PUT", `groups/${part(guid)}/members/${part(uid)}`, { scope }, by);
    },
  ),
  call_initiated: onCall("ring", async () => undefined),
  call_busy: onCall("ring a callee who is busy", ({ act }, id, { callee }) =>
    act(`calls/${part(id)}/busy`, { uid: callee }),
  ),
  call_rejected: onCall("ring until the callee declines", ({ act }, id, { callee }) =>
    act(`calls/${part(id)}/reject`, { uid: callee }),
  ),
  call_cancelled: onCall("ring until the caller cancels", ({ act }, id, { caller }) =>
    act(`calls/${part(id)}/cancel`, { uid: caller }),
  ),
  call_unanswered: onCall("ring until the time is up", ({ act }, id) => act(`calls/${part(id)}/unanswered`)),
  call_started: onCall("ring, let them talk, and end it", talk),
  call_participant_joined: onCall("ring, let them talk, and end it", talk),
  call_participant_left: onCall("ring, let them talk, and end it", talk),
  call_ended: onCall("ring, let them talk, and end it", talk),
  meeting_started: inMeeting("open the meeting"),
  meeting_participant_joined: inMeeting("let a user join the meeting"),
  meeting_participant_left: inMeeting("let a user join the meeting and leave", ({ act }, path, uid) =>
    act(`${path}/leave`, { uid }),
  ),
  meeting_ended: inMeeting("open and end the meeting", ({ act }, path) => act(`${path}/end`)),
  recording_generated: inMeeting("hold a meeting and record it", async ({ act }, path) => {
    await act(`${path}/end`);
    await act(`${path}/recording`);
  }),
  transcription_generated: inMeeting("hold a meeting and transcribe it", async ({ act }, path) => {
    await act(`${path}/end`);
    await act(`${path}/transcription`);
  }),
};

/** Completes it, because a user can be in only one call. */
async function talk({ act }: ActionContext, id: string, { callee }: { callee: string }): Promise<void> {
  await act(`calls/${part(id)}/answer`, { uid: callee });
  await act(`calls/${part(id)}/end`);
}

function blockedOf(data: ActionContext["data"]): object {
  return { blockedUids: Object.keys(record(data, "users")) };
}
