import usersFile from "../config/users.yml";
import { buildUserSeeding } from "../lib/user-seeding/build-user-seeding.ts";
import { declaredUsersSchema } from "../lib/user-seeding/declared-users.ts";

// Runs once per cold start.
const { users } = declaredUsersSchema.parse(usersFile);

/** Nightly, or by hand with `{"dryRun": true}` for a rehearsal: makes and keeps users as config/users.yml names them. */
export const handler = buildUserSeeding(() => users);
