import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";

/** Emits user_blocked or user_unblocked: `{users: {uid: User}, by: User}`. @see docs/platform/events.md#blocks */
export function emitBlockEvent(
  services: Services,
  app: App,
  event: { trigger: "user_blocked" | "user_unblocked"; by: User; users: readonly User[] },
): void {
  const users = Object.fromEntries(
    event.users.map((user) => [user.uid, showUser(user, { withTags: false, viewerUid: event.by.uid })]),
  );
  services.outbox.emit(app, event.trigger, { users, by: showUser(event.by, { withTags: false }) });
}
