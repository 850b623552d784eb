import { type Item, type Table, when } from "../../aws/table.ts";
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
  /** Default and maximum: 14 days from now. */
  readonly untilMs?: number | undefined;
}

/** What to write instead of a pause; `before` itself: nothing. */
type Decide<After extends Pause | undefined> = (before: Pause | undefined) => After;

export type PauseStore = ReturnType<typeof createPauseStore>;

/**
 * By app; processes learn of changes within five seconds. Methods throw AwsCallError and PauseSettingError.
 */
export function createPauseStore(lanes: Table, now: () => number, token: () => string) {
  const change = <After extends Pause | undefined>(appId: string, attribute: string, decide: Decide<After>) =>
    changeItem(lanes, appId, attribute, decide);

  return {
    read: async (appId: string): Promise<PauseSettings> => (await readItem(lanes, appId)).settings,

    /** A pause in force continues with the new end and reason. Repeatable. An unknown name has no effect. */
    begin: async (appId: string, target: PauseTarget, order: PauseOrder): Promise<Pause> =>
      (await change(appId, pauseAttribute(target), (before) => begun(before, order, now(), token))).after,

    /** False if it is over or was ended. */
    extend: async (
      appId: string,
      target: PauseTarget,
      pauseId: string,
      untilMs: number,
    ): Promise<boolean> => {
      const { after } = await change(appId, pauseAttribute(target), (before) =>
        before?.id === pauseId && now() < before.untilMs ? { ...before, untilMs } : before,
      );
      return after?.id === pauseId && after.untilMs === untilMs;
    },

    /** Undefined if there was none. Repeatable. */
    end: async (appId: string, target: PauseTarget): Promise<Pause | undefined> =>
      (await change(appId, pauseAttribute(target), () => undefined)).before,

    /** False if it continues. */
    endIfOver: async (appId: string, pauseId: string): Promise<boolean> => {
      const { settings } = await readItem(lanes, appId);
      const found = [...settings].find(([, { id }]) => id === pauseId);
      if (found === undefined) return true;
      const { after } = await change(appId, found[0], (pause) =>
        pause?.id === pauseId && now() >= pause.untilMs ? undefined : pause,
      );
      return after?.id !== pauseId;
    },
  };
}

function keyOf(appId: string): Item {
  return { lane: `app ${appId}`, item: pauseItem };
}

async function readItem(lanes: Table, appId: string) {
  const item = await lanes.get(keyOf(appId));
  return { item, settings: readPauseItem(appId, item) };
}

/** Again if another process changes the item meanwhile. */
async function changeItem<After extends Pause | undefined>(
  lanes: Table,
  appId: string,
  attribute: string,
  decide: Decide<After>,
): Promise<{ readonly before: Pause | undefined; readonly after: After }> {
  /** What a try without a response may have deleted. */
  let maybeTaken: Pause | undefined;
  for (;;) {
    const { item, settings } = await readItem(lanes, appId);
    const before = settings.get(attribute);
    const after = decide(before);
    if (before === after) return { before: before ?? maybeTaken, after };
    const written = await lanes.update(
      keyOf(appId),
      after === undefined ? { remove: [attribute] } : { set: { [attribute]: JSON.stringify(after) } },
      before === undefined
        ? when("attribute_not_exists(#pause)", {}, { pause: attribute })
        : when("#pause = :before", { before: item?.[attribute] }, { pause: attribute }),
    );
    if (written.ok) return { before, after };
    if (written.maybeOurs) maybeTaken = before;
  }
}

function begun(
  before: Pause | undefined,
  { by, reason, untilMs = Number.POSITIVE_INFINITY }: PauseOrder,
  nowMs: number,
  token: () => string,
): Pause {
  const isGoing = before !== undefined && nowMs < before.untilMs;
  // Its watch knows an ended pause by its id, and wakes the guests.
  const { id, sinceMs, by: first } = isGoing ? before : { id: token(), sinceMs: nowMs, by };
  return {
    ...{ id, sinceMs, untilMs: Math.min(untilMs, sinceMs + longestPauseMs), by: first },
    reason: reason ?? (isGoing ? before.reason : undefined),
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
