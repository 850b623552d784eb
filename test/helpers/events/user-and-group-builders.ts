import { currentCall, defaultTime, type Envelope, userMap, userOf } from "./body.ts";

type BlockFacts = { by?: string; uids?: string[] };
type ConnectionFacts = {
  uid?: string;
  status?: "online" | "offline";
  platform?: string;
  /** In milliseconds. */
  atMs?: number;
};
type GroupFacts = {
  guid?: string;
  name?: string;
  owner?: string;
  /** Who did it. */
  by?: string;
  /** In seconds. */
  at?: number;
};
type MemberFacts = GroupFacts & { uids?: string[] };

/** Builds the bodies of what happens to users. */
export const userBuilders = {
  userBlocked: ({ by = "ann", uids = ["bela"] }: BlockFacts = {}, envelope?: Envelope) =>
    currentCall("user_blocked", { users: userMap(uids), by: userOf(by) }, envelope),

  userUnblocked: ({ by = "ann", uids = ["bela"] }: BlockFacts = {}, envelope?: Envelope) =>
    currentCall("user_unblocked", { users: userMap(uids), by: userOf(by) }, envelope),

  userConnectionStatusChanged: (facts: ConnectionFacts = {}, envelope?: Envelope) => {
    const { uid = "ann", status = "online", platform = "javascript", atMs = defaultTime * 1000 } = facts;
    const action = status === "online" ? "connected" : "disconnected";
    const data = {
      timestamp: atMs,
      user: userOf(uid, { status }),
      status,
      currentConnection: { action, platform, connectedAt: atMs },
      userPresenceChanged: true,
    };
    return currentCall("user_connection_status_changed", data, envelope);
  },
};

/** Builds the bodies of what happens to groups. */
export const groupBuilders = {
  groupCreated: (facts: GroupFacts = {}, envelope?: Envelope) => {
    const { at = defaultTime, owner = "ann" } = facts;
    const { updatedAt: _, ...group } = groupBody({ ...facts, at });
    const data = { group: { ...group, createdAt: at }, members: userMap([owner]) };
    return currentCall("group_created", data, envelope);
  },

  groupUpdated: (facts: GroupFacts = {}, envelope?: Envelope) =>
    currentCall("group_updated", { group: { ...groupBody(facts), updatedBy: facts.by ?? "ann" } }, envelope),

  groupDeleted: (facts: GroupFacts = {}, envelope?: Envelope) =>
    currentCall("group_deleted", { group: { ...groupBody(facts), updatedBy: facts.by ?? "ann" } }, envelope),

  groupOwnerTransferred: (facts: GroupFacts & { oldOwner?: string } = {}, envelope?: Envelope) => {
    const { owner = "bela", oldOwner = "ann" } = facts;
    const group = { ...groupBody({ ...facts, owner }), oldOwner, updatedBy: facts.by ?? oldOwner };
    return currentCall("group_owner_transferred", { group }, envelope);
  },

  /** Has no time: the platform sends none. */
  groupMemberAdded: (facts: MemberFacts = {}, envelope?: Envelope) => {
    const { updatedAt: _, ...group } = groupBody(facts);
    return currentCall("group_member_added", { ...memberBody(facts), group }, envelope);
  },

  groupMemberJoined: (facts: MemberFacts = {}, envelope?: Envelope) =>
    currentCall("group_member_joined", ownDoing(facts), envelope),

  groupMemberLeft: (facts: MemberFacts = {}, envelope?: Envelope) =>
    currentCall("group_member_left", ownDoing(facts), envelope),

  groupMemberKicked: (facts: MemberFacts = {}, envelope?: Envelope) =>
    currentCall("group_member_kicked", memberBody(facts), envelope),

  groupMemberBanned: (facts: MemberFacts = {}, envelope?: Envelope) =>
    currentCall("group_member_banned", memberBody(facts), envelope),

  groupMemberUnbanned: (facts: MemberFacts = {}, envelope?: Envelope) =>
    currentCall("group_member_unbanned", memberBody(facts), envelope),

  groupMemberScopeChanged: (
    facts: MemberFacts & { scope?: string; oldScope?: string } = {},
    envelope?: Envelope,
  ) => {
    const { uids = ["bela"], scope = "admin", oldScope = "participant" } = facts;
    const members = userMap(uids, { scope, oldScope });
    return currentCall("group_member_scope_changed", { ...memberBody(facts), members }, envelope);
  },
};

function groupBody(facts: GroupFacts) {
  const { guid = "chess-club", name = "Chess Club", owner = "ann", at = defaultTime } = facts;
  return {
    guid,
    name,
    type: "public",
    membersCount: 2,
    conversationId: `group_${guid}`,
    createdAt: defaultTime - 86_400,
    owner,
    updatedAt: at,
    onlineMembersCount: 1,
  };
}

function memberBody(facts: MemberFacts) {
  const { uids = ["bela"], by = "ann" } = facts;
  return { group: groupBody(facts), members: userMap(uids), by: userOf(by) };
}

function ownDoing(facts: MemberFacts) {
  const { by: _, ...data } = memberBody(facts);
  return data;
}
