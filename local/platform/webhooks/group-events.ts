import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import { countOnlineMembers, type Group } from "../store/groups.ts";
import { systemUser, type User } from "../store/users.ts";
import { showGroup, showUser } from "../wire/show.ts";

/** What a group event tells. `members` become a map by uid; `by` is left out where the event has none. */
export type GroupEvent = {
  trigger: string;
  group: Group;
  membership?: { scope: string; joinedAt: number };
  members?: readonly User[];
  /** Added to each member, e.g. the scopes of a change. */
  memberFields?: JsonObject;
  /** Added to the group, e.g. `oldOwner`. */
  groupFields?: JsonObject;
  by?: User;
};

/**
 * Emits a group event: `{group, members?, by?}`. For requests without onBehalfOf `by` is the system user (assumed).
 * @see docs/platform/events.md#group-events
 */
export function emitGroupEvent(services: AppServices, event: GroupEvent): void {
  const data: JsonObject = {
    group: {
      ...showGroup(event.group, { withTags: false, membership: event.membership }),
      // Every printed sample but that of group_created counts who is online.
      ...(event.trigger === "group_created"
        ? {}
        : { onlineMembersCount: countOnlineMembers(services, event.group.guid) }),
      ...event.groupFields,
    },
  };
  if (event.members !== undefined) {
    data.members = Object.fromEntries(
      event.members.map((user) => [
        user.uid,
        { ...showUser(user, { withTags: false, viewerUid: viewerOf(event) }), ...event.memberFields },
      ]),
    );
  }
  if (event.by !== undefined) data.by = showUser(event.by, { withTags: false });
  services.emit(event.trigger, data);
}

// A member's conversation is the one with who acts; the app has none.
function viewerOf(event: GroupEvent): string | undefined {
  return event.by?.uid === systemUser.uid ? undefined : event.by?.uid;
}
