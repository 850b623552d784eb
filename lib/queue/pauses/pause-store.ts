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
 * By app; processes learn of changes within five seconds.
 * @throws AwsCallError, PauseSettingError
 */
export interface PauseStore {
  read(appId: string): Promise<PauseSettings>;
  /** A pause in force continues with the new end and reason. Repeatable. An unknown name has no effect. */
  begin(appId: string, target: PauseTarget, order: PauseOrder): Promise<Pause>;
  /** False if it is over or was ended. */
  extend(appId: string, target: PauseTarget, pauseId: string, untilMs: number): Promise<boolean>;
  /** Undefined if there was none. Repeatable. */
  end(appId: string, target: PauseTarget): Promise<Pause | undefined>;
  /** Deletes a pause whose time is over; false if it continues or does not exist. */
  endIfOver(appId: string, pauseId: string): Promise<boolean>;
}

/** @param token returns a unique text */
export function createPauseStore(lanes: Table, now: () => number, token: () => string): PauseStore {
  const keyOf = (appId: string): Item => ({ lane: `app ${appId}`, item: pauseItem });

  const readItem = async (appId: string) => {
    const item = await lanes.get(keyOf(appId));
    return { item, settings: readPauseItem(appId, item) };
  };

  /** Unless another process changes the item; `decide` may return the current pause. */
  const change = async <After extends Pause | undefined>(
    appId: string,
    attribute: string,
    decide: (before: Pause | undefined) => After,
  ): Promise<{ readonly before: Pause | undefined; readonly after: After }> => {
    /** What a try without a response may have deleted. */
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
        // Its watch knows an ended pause by its id, and wakes the guests.
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

export interface ListedPause extends Pause {
  readonly target: PauseTarget;
}

export function listPauses(settings: PauseSettings, nowMs: number): readonly ListedPause[] {
  return [...settings]
    .flatMap(([attribute, pause]) => {
      const target = readPauseAttribute(attribute);
      return target === undefined || nowMs >= pause.untilMs ? [] : [{ ...pause, target }];
    })
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
}
