import { isRecord } from "../../../lib/base/json.ts";
import type { MemberScope } from "../../platform/store/groups.ts";

/** The platform operations of an action. All throw Error with the platform's answer unless it succeeds. */
export interface DeedGround {
  /** Calls the Chat API; `onBehalfOf` names the acting user. */
  chat(method: string, path: string, body?: object, onBehalfOf?: string): Promise<unknown>;
  /** Does what users do through clients. */
  act(path: string, body?: object): Promise<unknown>;
  /** Creates a group with its owner, if it does not exist. */
  seedGroup(guid: string, owner: string): void;
  /** Restores a user's earlier membership, without an event. */
  placeMember(guid: string, uid: string, where: MemberPlace): void;
  /** The edited body, which names what is to happen. */
  readonly data: Readonly<Record<string, unknown>>;
}

export type MemberPlace = MemberScope | "outside" | "banned";

interface Deed {
  /** Continues "The platform would". */
  readonly words: string;
  readonly run: (ground: DeedGround) => Promise<unknown>;
}

/** Returns the platform's action that causes an event; undefined if the console has none. */
export function deedOf(trigger: string, family: string): string | undefined {
  return family === "webhook" && Object.hasOwn(deeds, trigger) ? deeds[trigger]?.words : undefined;
}

/**
 * Causes an event on the platform.
 * @throws Error with the platform's answer
 */
export async function doDeed(trigger: string, ground: DeedGround): Promise<void> {
  await deeds[trigger]?.run(ground);
}

const onMessage = (
  words: string,
  run: (ground: DeedGround, id: string, by: string) => Promise<unknown>,
): Deed => ({
  words,
  run: async (ground) => {
    const { data } = ground;
    const on = "message.data.entities.on.entity";
    const id = text(data, `${on}.id`, "message.id", "reaction.messageId", "body.messageId");
    const by = text(
      data,
      ...["message.editedBy", "message.deletedBy", "message.pinnedBy", "reaction.uid"],
      ...["body.user.uid", "message.sender"],
    );
    const isThere = await ground.chat("GET", `messages/${part(id)}`).then(yes, no);
    await run(ground, isThere ? id : await sendAnother(ground), by);
  },
});

/** Creates a message for events that name it only by an id, which cannot be chosen. */
async function sendAnother({ chat, data }: DeedGround): Promise<string> {
  const on = "message.data.entities.on.entity";
  const author = text(data, `${on}.sender`, "messageSender", "message.sender", "reaction.uid") || "ann";
  const other = text(data, `${on}.receiver`, "body.user.uid", "message.receiver");
  const receiver = other === "" || other === author ? (author === "bela" ? "ann" : "bela") : other;
  const receiverType = text(data, `${on}.receiverType`, "message.receiverType") || "user";
  const body = { receiver, receiverType, category: "message", type: "text", data: { text: "Hello" } };
  const sent = await chat("POST", "messages", body, author);
  return text({ sent }, "sent.data.id");
}

const yes = () => true;
const no = () => false;

const inGroup = (
  words: string,
  before: MemberPlace,
  run: (ground: DeedGround, of: { guid: string; uid: string; by: string }) => Promise<unknown>,
): Deed => ({
  words,
  run: async (ground) => {
    const guid = text(ground.data, "group.guid");
    const by = text(ground.data, "by.uid", "group.owner");
    ground.seedGroup(guid, by);
    for (const uid of Object.keys(record(ground.data, "members"))) {
      ground.placeMember(guid, uid, before);
      // If the user is not allowed to, the app does it.
      const asApp = () => run(ground, { guid, uid, by: "" });
      await (uid === by ? asApp() : run(ground, { guid, uid, by }).catch(asApp));
    }
  },
});

const onGroup = (words: string, run: (ground: DeedGround, guid: string) => Promise<unknown>): Deed => ({
  words,
  run: (ground) => run(ground, text(ground.data, "group.guid")),
});

const onCall = (
  words: string,
  run: (ground: DeedGround, sessionId: string, of: { caller: string; callee: string }) => Promise<unknown>,
): Deed => ({
  words,
  run: async (ground) => {
    const { data } = ground;
    const caller = text(data, "call.data.entities.by.entity.uid", "call.sender") || "ann";
    const receiver = text(data, "call.receiver") || "bela";
    const callee = receiver === caller ? text(data, "call.sender") : receiver;
    const receiverType = text(data, "call.receiverType") || "user";
    const type = text(data, "call.type") || "audio";
    const placed = await ground.act("calls", { caller, receiver: callee, receiverType, type });
    await run(
      ground,
      text({ placed }, "placed.data.sessionId", "placed.sessionId", "placed.data.sessionid"),
      { caller, callee },
    );
  },
});

const inMeeting = (
  words: string,
  run?: (ground: DeedGround, path: string, uid: string) => Promise<unknown>,
): Deed => ({
  words,
  run: async (ground) => {
    const sessionId = text(ground.data, "sessionId");
    const uid = text(ground.data, "occupant.uid") || "ann";
    await ground.act(`meetings/${part(sessionId)}/join`, { uid });
    await run?.(ground, `calls/${part(sessionId)}`, uid);
  },
});

const deeds: Readonly<Record<string, Deed>> = {
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
  group_owner_transferred: onGroup("transfer the group to its new owner", (ground, guid) => {
    const { chat, seedGroup, placeMember, data } = ground;
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

/** Completes the call, because a user can be in only one. */
async function talk({ act }: DeedGround, id: string, { callee }: { callee: string }): Promise<void> {
  await act(`calls/${part(id)}/answer`, { uid: callee });
  await act(`calls/${part(id)}/end`);
}

function blockedOf(data: DeedGround["data"]): object {
  return { blockedUids: Object.keys(record(data, "users")) };
}

function part(text: string): string {
  return encodeURIComponent(text);
}

/** Returns the first text found by the paths, or an empty one. */
function text(value: Readonly<Record<string, unknown>>, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = path.split(".").reduce<unknown>(step, value);
    if (typeof found === "string" && found !== "") return found;
  }
  return "";
}

function record(value: Readonly<Record<string, unknown>>, path: string): Readonly<Record<string, unknown>> {
  const found = path.split(".").reduce<unknown>(step, value);
  return isRecord(found) ? found : {};
}

function step(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
