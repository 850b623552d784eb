import type { Item, Table } from "../../aws/table.ts";
import {
  longestPauseMs,
  type Pause,
  type PauseSettings,
  type PauseTarget,
  pauseAttribute,
  pauseItem,
  readPauseAttribute,
  readPauseItem,
} from "../../effects/health/pause-settings.ts";

export interface PauseOrder {
  readonly by: string;
  readonly reason?: string | undefined;
  /** Milliseconds since 1970. Default and maximum: 14 days from now. */
  readonly untilMs?: number | undefined;
}

/**
 * The pauses by app; processes learn of changes within five seconds. @throws AwsCallError, PauseSettingError
 */
export interface PauseStore {
  /** Reads all confirmed writes. */
  read(appId: string): Promise<PauseSettings>;
  /**
   * Pauses a target and returns the pause. One in force continues with the new end and reason. May be
   * repeated. The name is not checked: an unknown name has no effect.
   */
  begin(appId: string, target: PauseTarget, order: PauseOrder): Promise<Pause>;
  /** Changes a pause's end; returns false if it is over or was ended. */
  extend(appId: string, target: PauseTarget, pauseId: string, untilMs: number): Promise<boolean>;
  /** Ends any pause of a target and returns it; undefined if there was none. May be repeated. */
  end(appId: string, target: PauseTarget): Promise<Pause | undefined>;
  /** Deletes a pause whose time is over; returns false if it continues or does not exist. */
  endIfOver(appId: string, pauseId: string): Promise<boolean>;
}

/**
 * Stores the pauses on the lanes table, whose key is `lane` and `item`.
 * @param token returns a unique text
 */
export function createPauseStore(lanes: Table, now: () => number, token: () => string): PauseStore {
  const keyOf = (appId: string): Item => ({ lane: `app ${appId}`, item: pauseItem });

  const readItem = async (appId: string) => {
    const item = await lanes.get(keyOf(appId));
    return { item, settings: readPauseItem(appId, item) };
  };

  /** Writes a change unless another process changes the item; `decide` may return the current pause. */
  const change = async <After extends Pause | undefined>(
    appId: string,
    attribute: string,
    decide: (before: Pause | undefined) => After,
  ): Promise<{ readonly before: Pause | undefined; readonly after: After }> => {
    /** What this call may have deleted in a try without a response. */
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
        // Guests of an ended pause are woken by its watch, which knows it by its id.
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

/** A pause in force, with its target. */
export interface ListedPause extends Pause {
  readonly target: PauseTarget;
}

/** Lists an app's pauses in force, oldest first (pure). */
export function listPauses(settings: PauseSettings, nowMs: number): readonly ListedPause[] {
  return [...settings]
    .flatMap(([attribute, pause]) => {
      const target = readPauseAttribute(attribute);
      return target === undefined || nowMs >= pause.untilMs ? [] : [{ ...pause, target }];
    })
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}
