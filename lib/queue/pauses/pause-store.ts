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

/** Returns what to write instead of a pause; `before` itself writes nothing. */
type Decide<After extends Pause | undefined> = (before: Pause | undefined) => After;

export type PauseStore = ReturnType<typeof createPauseStore>;

/**
 * Stores pauses by app. Processes see a change within five seconds. Methods throw AwsCallError and
 * PauseSettingError.
 */
export function createPauseStore(lanes: Table, now: () => number, token: () => string) {
  const change = <After extends Pause | undefined>(appId: string, attribute: string, decide: Decide<After>) =>
    changeItem(lanes, appId, attribute, decide);

  return {
    read: async (appId: string): Promise<PauseSettings> => (await readItem(lanes, appId)).settings,

    /**
     * Begins a pause. One in force gets the new end and reason. Repeatable. A name that does not exist has no
     * effect.
     */
    begin: async (appId: string, target: PauseTarget, order: PauseOrder): Promise<Pause> =>
      (await change(appId, pauseAttribute(target), (before) => begun(before, order, now(), token))).after,

    /** Returns false if the pause is over or was ended. */
    extend: async (appId: string, target: PauseTarget, pauseId: string, untilMs: number) => {
      const { after } = await change(appId, pauseAttribute(target), (before) =>
        before?.id === pauseId && now() < before.untilMs ? { ...before, untilMs } : before,
      );
      return after?.id === pauseId && after.untilMs === untilMs;
    },

    /** Undefined if there was none. Repeatable. */
    end: async (appId: string, target: PauseTarget) =>
      (await change(appId, pauseAttribute(target), () => undefined)).before,

    /** Returns false if the pause continues or does not exist. */
    endIfOver: async (appId: string, pauseId: string) => {
      const { settings } = await readItem(lanes, appId);
      const [attribute] = [...settings].find(([, { id }]) => id === pauseId) ?? [];
      if (attribute === undefined) return false;
      const { before, after } = await change(appId, attribute, (found) =>
        found?.id === pauseId && now() >= found.untilMs ? undefined : found,
      );
      return before !== undefined && after === undefined;
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

/** Changes an item, again if another process changes it meanwhile. */
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
  // The process that watches it recognizes an ended pause by its id, and wakes the waiters.
  const { id, sinceMs, by: first } = isGoing ? before : { id: token(), sinceMs: nowMs, by };
  const said = reason ?? (isGoing ? before.reason : undefined);
  const pause = { id, sinceMs, untilMs: Math.min(untilMs, sinceMs + longestPauseMs), by: first };
  return said === undefined ? pause : { ...pause, reason: said };
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
