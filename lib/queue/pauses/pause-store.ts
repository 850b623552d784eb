import type { Item, Table } from "../../aws/table.ts";
import {
  longestPauseMs,
  type Pause,
  type PauseSettings,
  type PauseTarget,
  pauseAttribute,
  pauseItem,
  readPauseItem,
} from "../../effects/health/pause-settings.ts";

/** What `begin` is told of a pause. */
export interface PauseOrder {
  readonly by: string;
  readonly reason?: string | undefined;
  /** Milliseconds since 1970; 14 days from now at the latest, which is the default. */
  readonly untilMs?: number | undefined;
}

/** What is paused, app by app; processes know it within five seconds. All throw AwsCallError and PauseSettingError. */
export interface PauseStore {
  /** As it is after all writes that were answered. */
  read(appId: string): Promise<PauseSettings>;
  /**
   * Pauses a target, and gives the pause. One that is in force goes on, with the end and the reason of this order. May be
   * repeated. Nobody checks the name: what has another one goes on.
   */
  begin(appId: string, target: PauseTarget, order: PauseOrder): Promise<Pause>;
  /** Gives a pause another end; false where it is over, or was ended by somebody. */
  extend(appId: string, target: PauseTarget, pauseId: string, untilMs: number): Promise<boolean>;
  /** Ends the pause of a target, whichever it is, and gives it; undefined where there was none. May be repeated. */
  end(appId: string, target: PauseTarget): Promise<Pause | undefined>;
  /** Takes away a pause of which the time is over; false where it is not, or is no more. */
  endIfOver(appId: string, pauseId: string): Promise<boolean>;
}

/**
 * Keeps it on the lanes table, whose key is `lane` and `item`.
 * @param token gives a text that nobody else gives
 */
export function createPauseStore(lanes: Table, now: () => number, token: () => string): PauseStore {
  const keyOf = (appId: string): Item => ({ lane: `app ${appId}`, item: pauseItem });

  const readItem = async (appId: string) => {
    const item = await lanes.get(keyOf(appId));
    return { item, settings: readPauseItem(appId, item) };
  };

  /** Changes what is there, as long as nobody else does; `decide` may give what there was. */
  const change = async <After extends Pause | undefined>(
    appId: string,
    attribute: string,
    decide: (before: Pause | undefined) => After,
  ): Promise<{ readonly before: Pause | undefined; readonly after: After }> => {
    /** What this very call may have taken away, in a try that got no answer. */
    let maybeTaken: Pause | undefined;
    for (;;) {
      const { item, settings } = await readItem(appId);
      const before = settings.get(attribute);
      const after = decide(before);
      if (before === after) return { before: before ?? maybeTaken, after };
      const written = await lanes.update(
        keyOf(appId),
        after === undefined ? { remove: [attribute] } : { set: { [attribute]: JSON.stringify(after) } },
        {
          expression: before === undefined ? "attribute_not_exists(#pause)" : "#pause = :before",
          names: { "#pause": attribute },
          ...(before !== undefined && { values: { ":before": item?.[attribute] } }),
        },
      );
      if (written.ok) return { before, after };
      if (written.maybeOurs) maybeTaken = before;
    }
  };

  return {
    read: async (appId) => (await readItem(appId)).settings,

    begin: async (appId, target, { by, reason, untilMs = Number.POSITIVE_INFINITY }) => {
      const { after } = await change(appId, pauseAttribute(target), (before): Pause => {
        const nowMs = now();
        const isGoing = before !== undefined && nowMs < before.untilMs;
        // What waits for a pause that is over is woken by its watch, which knows it by its id.
        const { id, sinceMs, by: first } = isGoing ? before : { id: token(), sinceMs: nowMs, by };
        const latestMs = sinceMs + longestPauseMs;
        const said = reason ?? (isGoing ? before.reason : undefined);
        const pause = { id, sinceMs, untilMs: Math.min(untilMs, latestMs), by: first };
        return said === undefined ? pause : { ...pause, reason: said };
      });
      return after;
    },

    extend: async (appId, target, pauseId, untilMs) => {
      const { after } = await change(appId, pauseAttribute(target), (before) =>
        before?.id === pauseId && now() < before.untilMs ? { ...before, untilMs } : before,
      );
      return after?.id === pauseId && after.untilMs === untilMs;
    },

    end: async (appId, target) => (await change(appId, pauseAttribute(target), () => undefined)).before,

    endIfOver: async (appId, pauseId) => {
      const { settings } = await readItem(appId);
      const [attribute] = [...settings].find(([, { id }]) => id === pauseId) ?? [];
      if (attribute === undefined) return false;
      const { before, after } = await change(appId, attribute, (found) =>
        found?.id === pauseId && now() >= found.untilMs ? undefined : found,
      );
      return before !== undefined && after === undefined;
    },
  };
}
