import { startElsewhere } from "../../base/batching.ts";
import { describeError } from "../../base/describe-error.ts";
import { readDryRun } from "../../base/dry-run.ts";
import { OwnError } from "../../base/errors.ts";
import { users } from "../../chat/resources/users.ts";
import type { User } from "../../chat/types/users.ts";
import { keepUser, type UsersApi } from "../../endpoints/login/keep-user.ts";
import { onSchedule, type ScheduledFunction } from "../../endpoints/own/on-schedule.ts";
import type { DeclaredUser } from "./declared-users.ts";

export type SeededUsers = Awaited<ReturnType<typeof seedUsers>>;

interface SeedUsersOptions {
  readonly users: UsersApi;
  readonly declared: readonly DeclaredUser[];
  readonly dryRun: boolean;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Sends some 5,000 requests a minute if answers take 50 ms: a quarter of the platform's limit per app
 * (docs/internals/platform/answers-and-errors.md#rate-limits).
 */
const atOnce = 4;
const mostFailures = 20;
/** The platform's maximum (docs/internals/platform/answers-and-errors.md#lists-by-page). */
const perPage = 1_000;

/**
 * Deletes, activates or deactivates no user. Continues after a failed user. Repeatable.
 * @throws what listing the users throws
 */
async function seedUsers(options: SeedUsersOptions) {
  const { users, declared, dryRun: isRehearsal, deadlineMs, now } = options;
  const known = await readKnown(options);
  const counts = {
    created: 0,
    changed: 0,
    unchanged: 0,
    /** Refused, unanswered, or deactivated. */
    failed: 0,
  };
  const failures: { uid: string; cause: string }[] = [];
  const waiting = startElsewhere(declared, now()).values();
  let done = 0;

  const work = async () => {
    for (const { uid, ...user } of waiting) {
      const found = { users, known: known && (known.get(uid) ?? null), isRehearsal };
      const outcome = await keepUser(uid, user, found).catch(describeError);
      done += 1;
      if (isCounted(outcome)) counts[outcome] += 1;
      else {
        counts.failed += 1;
        const cause =
          outcome === "hidden"
            ? "The platform shows no such user and makes none: it is deactivated."
            : outcome;
        if (failures.length < mostFailures) failures.push({ uid, cause });
      }
      if (now() >= deadlineMs) return;
    }
  };
  if (now() < deadlineMs) await Promise.all(Array.from({ length: atOnce }, work));
  return {
    ...counts,
    /** Not reached in time. The next night's run starts elsewhere. */
    left: declared.length - done,
    failures,
  };
}

/**
 * @returns undefined if reading each one is faster, or half of the time is up: a large app must not only be
 * read each night
 */
async function readKnown({ users, declared, deadlineMs, now }: SeedUsersOptions) {
  const uids = new Set(declared.map(({ uid }) => uid));
  const known = new Map<string, User>();
  const endsAt = (now() + deadlineMs) / 2;
  for (let page = 1; ; page += 1) {
    const { items, next } = await users.list({ perPage, page, withDeactivated: true }).page();
    for (const user of items) if (uids.has(user.uid)) known.set(user.uid, user);
    if (next === undefined) return known;
    if (page >= declared.length / atOnce || now() >= endsAt) return undefined;
  }
}

function isCounted(outcome: string): outcome is "created" | "changed" | "unchanged" {
  return outcome === "created" || outcome === "changed" || outcome === "unchanged";
}

class UserSeedingError extends OwnError {
  override readonly name = "UserSeedingError";

  constructor(seeded: SeededUsers) {
    super(`Not every user is as declared; run it again after mending the causes. ${JSON.stringify(seeded)}`);
  }
}

/** Time for pending requests. */
const marginMs = 5_000;

/** `{"dryRun": true}` rehearses. Sends no request without declared users. */
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
