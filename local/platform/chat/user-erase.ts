import type { AppCall } from "../http/route.ts";
import { countMembers, findGroup, putGroup } from "../store/groups.ts";
import { text } from "../store/row.ts";

/** Removes what hangs on a user: tokens and memberships, with `permanent` also their messages. */
export function eraseUserTraces(call: AppCall, uid: string, options: { permanent: boolean }): void {
  const { db, app } = call;
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND uid = ?", app.appId, uid);
  db.run("DELETE FROM banned_users WHERE app_id = ? AND uid = ?", app.appId, uid);
  const guids = db
    .all("SELECT guid FROM members WHERE app_id = ? AND uid = ?", app.appId, uid)
    .map((row) => text(row, "guid"));
  db.run("DELETE FROM members WHERE app_id = ? AND uid = ?", app.appId, uid);
  for (const guid of guids) {
    const group = findGroup(db, app.appId, guid);
    if (group !== undefined) {
      putGroup(db, app.appId, { ...group, membersCount: countMembers(db, app.appId, guid) });
    }
  }
  if (!options.permanent) return;
  db.run(
    "DELETE FROM messages WHERE app_id = ? AND (sender = ? OR (receiver_type = 'user' AND receiver = ?))",
    app.appId,
    uid,
    uid,
  );
}
