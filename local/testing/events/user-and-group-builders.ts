import { current, defaultTime, userMap, userOf } from "./body.ts";
import type {
  BlockFacts,
  ConnectionFacts,
  GroupFacts,
  GroupMemberFacts,
  OwnerTransferFacts,
  ScopeChangeFacts,
} from "./user-and-group-facts.ts";

/** Builds the bodies of user events. */
export const userBuilders = {
  /** Builds `user_blocked`. */
  userBlocked: current("user_blocked", blockData),
  /** Builds `user_unblocked`. */
  userUnblocked: current("user_unblocked", blockData),
  /** Builds `user_connection_status_changed`. */
  userConnectionStatusChanged: current("user_connection_status_changed", (facts: ConnectionFacts) => {
    const { uid = "ann", status = "online", platform = "javascript", atMs = defaultTime * 1000 } = facts;
    const action = status === "online" ? "connected" : "disconnected";
    return {
      timestamp: atMs,
      user: userOf(uid, { status }),
      status,
      currentConnection: { action, platform, connectedAt: atMs },
      userPresenceChanged: true,
    };
  }),
};

/** Builds the bodies of group events. */
export const groupBuilders = {
  /** Builds `group_created`. */
  groupCreated: current("group_created", (facts: GroupFacts) => {
    const { updatedAt: createdAt, ...group } = groupBody(facts);
    return { group: { ...group, createdAt }, members: userMap([group.owner]) };
  }),
  /** Builds `group_updated`. */
  groupUpdated: current("group_updated", groupData),
  /** Builds `group_deleted`. */
  groupDeleted: current("group_deleted", groupData),
  /** Builds `group_owner_transferred`. */
  groupOwnerTransferred: current("group_owner_transferred", (facts: OwnerTransferFacts) => {
    const { owner = "bela", oldOwner = "ann", by = oldOwner } = facts;
    return { group: { ...groupBody({ ...facts, owner }), oldOwner, updatedBy: by } };
  }),
  /** Has no time, as on the platform. */
  groupMemberAdded: current("group_member_added", (facts: GroupMemberFacts) => {
    const { updatedAt: _, ...group } = groupBody(facts);
    return { ...memberData(facts), group };
  }),
  /** Builds `group_member_joined`. */
  groupMemberJoined: current("group_member_joined", ownDoing),
  /** Builds `group_member_left`. */
  groupMemberLeft: current("group_member_left", ownDoing),
  /** Builds `group_member_kicked`. */
  groupMemberKicked: current("group_member_kicked", memberData),
  /** Builds `group_member_banned`. */
  groupMemberBanned: current("group_member_banned", memberData),
  /** Builds `group_member_unbanned`. */
  groupMemberUnbanned: current("group_member_unbanned", memberData),
  /** Builds `group_member_scope_changed`. */
  groupMemberScopeChanged: current("group_member_scope_changed", (facts: ScopeChangeFacts) => {
    const { uids = ["bela"], scope = "admin", oldScope = "participant" } = facts;
    return { ...memberData(facts), members: userMap(uids, { scope, oldScope }) };
  }),
};

function blockData({ by = "ann", uids = ["bela"] }: BlockFacts) {
  return { users: userMap(uids), by: userOf(by) };
}

function groupBody(facts: GroupFacts) {
  const { guid = "chess-club", name = "Chess Club", owner = "ann", at: updatedAt = defaultTime } = facts;
  return {
    guid,
    name,
    type: "public",
    membersCount: 2,
    conversationId: `group_${guid}`,
    createdAt: defaultTime - 86_400,
    owner,
    updatedAt,
    onlineMembersCount: 1,
  };
}

function groupData(facts: GroupFacts) {
  return { group: { ...groupBody(facts), updatedBy: facts.by ?? "ann" } };
}

function memberData(facts: GroupMemberFacts) {
  const { uids = ["bela"], by = "ann" } = facts;
  return { group: groupBody(facts), members: userMap(uids), by: userOf(by) };
}

function ownDoing(facts: GroupMemberFacts) {
  const { by: _, ...data } = memberData(facts);
  return data;
}
