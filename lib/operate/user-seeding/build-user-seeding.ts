import { readDryRun } from "../../base/dry-run.ts";
import { OwnError } from "../../base/own-error.ts";
import { users } from "../../chat/resources/users.ts";
import { onSchedule, type ScheduledFunction } from "../../endpoints/own/on-schedule.ts";
import type { DeclaredUser } from "./declared-users.ts";
import { type SeededUsers, seedUsers } from "./seed-users.ts";

/** The message contains the counts of users that failed or were not reached. */
export class UserSeedingError extends OwnError {
  override readonly name = "UserSeedingError";

  constructor(seeded: SeededUsers) {
    super(`Not every user is as declared; run it again after mending the causes. ${JSON.stringify(seeded)}`);
  }
}

/** For pending requests; half of an app's time if that is little. */
const marginMs = 5_000;

/**
 * On a schedule or by hand, `{"dryRun": true}` for a rehearsal. Without declared users it sends no request.
 * @param declaredOf from config/users.yml
 */
export function buildUserSeeding(
  declaredOf: (appId: string) => readonly DeclaredUser[],
): ScheduledFunction<SeededUsers> {
  const runsFor = (appId: string) => declaredOf(appId).length > 0;
  return onSchedule(
    async ({ app, chat, input, log, count, deadlineMs, now }) => {
      const declared = declaredOf(app.appId);
      const dryRun = readDryRun(input);
      const endsAt = deadlineMs - Math.min(marginMs, (deadlineMs - now()) / 2);
      const options = { declared, dryRun, deadlineMs: endsAt, now };
      const seeded = await seedUsers({ ...chat.using({ users }), ...options });
      const { failures, ...counts } = seeded;
      log.info(dryRun ? "rehearsed seeding users" : "seeded users", { ...counts, failures });
      if (!dryRun) {
        for (const [outcome, value] of Object.entries(counts)) {
          if (value > 0) count("UsersSeeded", { appId: app.appId, outcome }, {}, { value });
        }
      }
      if (seeded.failed + seeded.left > 0) throw new UserSeedingError(seeded);
      return seeded;
    },
    { runsFor },
  );
}
