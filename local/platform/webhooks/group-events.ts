import { showGroup, showUser } from "../chat/show.ts";
import type { JsonObject } from "../json.ts";
import type { Services } from "../services.ts";
import type { App } from "../store/apps.ts";
import type { Group } from "../store/groups.ts";
import type { User } from "../store/users.ts";

/** What a group event tells. `members` become a map by uid; `by` is left out where the event has none. */
export type GroupEvent = {
  trigger: string;
  group: Group;
  membership?: { scope: string; joinedAt: number };
  members?: readonly User[];
  by?: User;
};

/**
 * Emits a group event: `{group, members?, by?}`. For calls without onBehalfOf `by` is the system user (assumed).
 * @see platform facts: webhooks §4 Groups
 */
export function emitGroupEvent(services: Services, app: App, event: GroupEvent): void {
  const data: JsonObject = {
    group: showGroup(event.group, { withTags: false, membership: event.membership }),
  };
  if (event.members !== undefined) {
    data.members = Object.fromEntries(
      event.members.map((user) => [user.uid, showUser(user, { viewerUid: event.by?.uid })]),
    );
  }
  if (event.by !== undefined) data.by = showUser(event.by);
  services.outbox.emit(app, event.trigger, data);
}
