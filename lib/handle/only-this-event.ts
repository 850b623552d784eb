import { type Connection, composeOn } from "../chat/compose.ts";
import { users } from "../chat/resources/users.ts";
import type { AttemptScope } from "../effects/attempt-scope.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import { conversationIdOf } from "../queue/lanes/lane-record.ts";

export interface OnlyThisEventServices {
  readonly health: AppHealth;
  readonly scope: AttemptScope;
  readonly connectionOf: () => Promise<Connection>;
}

/** Returns whether the platform refuses this event alone. Never throws. */
export type OnlyThisEvent = (error: unknown) => Promise<boolean>;

export function createOnlyThisEvent({ health, scope, connectionOf }: OnlyThisEventServices): OnlyThisEvent {
  let reading: Promise<boolean> | undefined;

  /**
   * Reads users: every app has the operation, a key of scope fullAccess allows it (`GET /users`,
   * docs/internals/platform/addressing-and-keys.md#scopes-of-keys), and it is in the bundle anyway. Not
   * counted in the app's health.
   */
  const readSucceeds = async (connection: Connection): Promise<boolean> => {
    scope.assertAlive();
    if ((await health.pauseOfApp()) !== undefined) return false;
    const { signal, deadlineMs } = scope;
    await composeOn(connection, { users })
      .users.list({ perPage: 1 }, { signal, deadlineMs, maxTries: 1 })
      .page();
    return true;
  };

  return async (error) => {
    const failure = classifyFailure(error);
    if (failure.kind !== "outage" || failure.mayBeAlone !== true) return false;
    const { destination } = failure;
    const conversation = conversationIdOf(scope.lane);
    const streak = health.streakOf(destination);
    if (streak.length === 0 || !streak.every((lane) => conversationIdOf(lane) === conversation)) return false;
    try {
      const connection = await connectionOf();
      if (!destination.startsWith(`${connection.hostOf("api")} `)) return false;
      reading ??= readSucceeds(connection);
      return await reading;
    } catch {
      return false;
    }
  };
}
