import usersFile from "../config/users.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { buildUserSeeding } from "../lib/operate/user-seeding/seed-users.ts";

const settings = checkedSettings(usersFile);

/** Nightly, or by hand with `{"dryRun": true}`: creates and updates the users of config/users.yml. */
export const handler = buildUserSeeding((appId) => settings.of(appId).users);
