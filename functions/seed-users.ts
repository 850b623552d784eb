import usersFile from "../config/users.yml";
import { settingsFrom } from "../lib/chat/settings-from.ts";
import { declaredUsersSchema } from "../lib/operate/user-seeding/declared-users.ts";
import { buildUserSeeding } from "../lib/operate/user-seeding/seed-users.ts";

const settings = settingsFrom(usersFile, declaredUsersSchema);

/** Nightly, or by hand with `{"dryRun": true}`: creates and updates the users of config/users.yml. */
export const handler = buildUserSeeding((appId) => settings.of(appId).users);
