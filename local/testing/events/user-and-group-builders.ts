import { currentCall, defaultTime, type EventBody, type EventEnvelope, userMap, userOf } from "./body.ts";
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
  /** Builds the body of `user_blocked`. */
  userBlocked: ({ by = "ann", uids = ["bela"] }: BlockFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("user_blocked", { users: userMap(uids), by: userOf(by) }, envelope),

  /** Builds the body of `user_unblocked`. */
  userUnblocked: ({ by = "ann", uids = ["bela"] }: BlockFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("user_unblocked", { users: userMap(uids), by: userOf(by) }, envelope),

  /** Builds the body of `user_connection_status_changed`. */
  userConnectionStatusChanged: (facts: ConnectionFacts = {}, envelope?: EventEnvelope): EventBody => {
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

/** Builds the bodies of group events. */
export const groupBuilders = {
  /** Builds the body of `group_created`. */
  groupCreated: (facts: GroupFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { at = defaultTime, owner = "ann" } = facts;
    const { updatedAt: _, ...group } = groupBody({ ...facts, at });
    const data = { group: { ...group, createdAt: at }, members: userMap([owner]) };
    return currentCall("group_created", data, envelope);
  },

  /** Builds the body of `group_updated`. */
  groupUpdated: (facts: GroupFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_updated", { group: { ...groupBody(facts), updatedBy: facts.by ?? "ann" } }, envelope),

  /** Builds the body of `group_deleted`. */
  groupDeleted: (facts: GroupFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_deleted", { group: { ...groupBody(facts), updatedBy: facts.by ?? "ann" } }, envelope),

  /** Builds the body of `group_owner_transferred`. */
  groupOwnerTransferred: (facts: OwnerTransferFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { owner = "bela", oldOwner = "ann" } = facts;
    const group = { ...groupBody({ ...facts, owner }), oldOwner, updatedBy: facts.by ?? oldOwner };
    return currentCall("group_owner_transferred", { group }, envelope);
  },

  /** Has no time, as on the platform. */
  groupMemberAdded: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { updatedAt: _, ...group } = groupBody(facts);
    return currentCall("group_member_added", { ...memberBody(facts), group }, envelope);
  },

  /** Builds the body of `group_member_joined`. */
  groupMemberJoined: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_member_joined", ownDoing(facts), envelope),

  /** Builds the body of `group_member_left`. */
  groupMemberLeft: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_member_left", ownDoing(facts), envelope),

  /** Builds the body of `group_member_kicked`. */
  groupMemberKicked: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_member_kicked", memberBody(facts), envelope),

  /** Builds the body of `group_member_banned`. */
  groupMemberBanned: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_member_banned", memberBody(facts), envelope),

  /** Builds the body of `group_member_unbanned`. */
  groupMemberUnbanned: (facts: GroupMemberFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("group_member_unbanned", memberBody(facts), envelope),

  /** Builds the body of `group_member_scope_changed`. */
  groupMemberScopeChanged: (facts: ScopeChangeFacts = {}, envelope?: EventEnvelope): EventBody => {
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

function memberBody(facts: GroupMemberFacts) {
  const { uids = ["bela"], by = "ann" } = facts;
  return { group: groupBody(facts), members: userMap(uids), by: userOf(by) };
}

function ownDoing(facts: GroupMemberFacts) {
  const { by: _, ...data } = memberBody(facts);
  return data;
}
