import { type Item, type Table, when } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import { readShadowItem, type ShadowSettings, shadowItem } from "../shadow/shadow-settings.ts";
import {
  type DeadLetterCount,
  type DestinationState,
  openingStreak,
  probePauseMs,
  triggerOf,
  unknownDestination,
} from "./breaker.ts";
import { type PauseSettings, pauseItem, readPauseItem } from "./pause-settings.ts";

export interface HealthRecord {
  readonly troubleUntil: number;
  /** Until this time, a share of lanes (see below) may have a parked one. */
  readonly parkedUntil: ReadonlyMap<string, number>;
  readonly destinations: ReadonlyMap<string, DestinationState>;
  readonly deadLetters: readonly DeadLetterCount[];
  readonly shadow: ShadowSettings;
  readonly pauses: PauseSettings;
}

// Marks say which lanes may be parked. Every invocation reads them with the app's health, so a healthy app's
// events cost one read per batch. Why no event overtakes a parked one although its lane is not read: only the
// holder of a lane's first event parks it, after marking it. Until that event is deleted, after parking, the
// queue delivers no later one of its group [1]. So the later event's holder reads the mark consistently, with
// nothing kept from an earlier invocation. A process taken for dead may park again a lane whose event went to
// a successor; the successor marked it. Why no mark ends too early: a parked lane's state is deleted 15 days
// after its last write (lane-store.ts), and each write that extends it follows a mark that lives at least 16
// more days. Resuming removes no mark, which a process that parks the lane at that moment would lose. Shorter
// marks would not be safe: a lane stays parked without a new one through a pause, days without a consumer, or
// after a lost ticket. Marks are per share, so that one item holds all: some hundred parked lanes cause reads
// for nearly every lane. [1]
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html

const markDays = 17;
const dayMs = 24 * 60 * 60_000;
export const markMs = markDays * dayMs;
export const markStepMs = dayMs;

const rememberedSeconds = 2 * 24 * 60 * 60;
/** Longer than any mark. */
const marksRememberedSeconds = (markDays + 1) * 24 * 60 * 60;

/** Whose successes an app's item counts. */
export const mostHealthy = 100;
/** Their states take half a kilobyte each, written at every failure. */
const mostFailing = 50;

const healthItem = "health";
/** Lies so that one query reads health, `in-pause`, `in-shadow` and this item. */
const marksItem = "parked";

const fields = ["ok", "bad", "last", "streakLanes", "probeAt", "since", "opened"] as const;

export type HealthStore = ReturnType<typeof createHealthStore>;

export function createHealthStore(table: Table, now: () => number) {
  const expiration = (seconds = rememberedSeconds) => Math.ceil(now() / 1000) + seconds;
  return {
    /** @throws ShadowSettingError, PauseSettingError */
    read: async (appId: string): Promise<HealthRecord> => {
      const items = await table.query(partitionOf(appId), { from: healthItem, to: marksItem });
      const itemOf = (wanted: string) => items.find(({ item }) => item === wanted) ?? {};
      return {
        ...toRecord(itemOf(healthItem)),
        parkedUntil: parkedIn(itemOf(marksItem)),
        shadow: readShadowItem(appId, itemOf(shadowItem)),
        pauses: readPauseItem(appId, itemOf(pauseItem)),
      };
    },
    /** @throws PauseSettingError */
    readPauses: async (appId: string): Promise<PauseSettings> =>
      readPauseItem(appId, await table.get({ ...partitionOf(appId), item: pauseItem })),

    /** Marks trouble until a time. Repeatable; an earlier time changes nothing. */
    markTrouble: async (appId: string, untilMs: number): Promise<void> => {
      const item = await setLater(table, keyOf(appId), "troubleUntil", untilMs, expiration());
      const remove = forgettable(item, now());
      if (remove.length > 0) await table.update(keyOf(appId), { remove }).catch(() => undefined);
    },

    markParked: async (appId: string, share: string, untilMs: number): Promise<void> => {
      const key = { ...partitionOf(appId), item: marksItem };
      await setLater(table, key, parkedField + share, untilMs, expiration(marksRememberedSeconds));
    },

    /** Removes `forget` and returns the current entries. Each call counts. */
    noteDeadLetter: async (
      appId: string,
      counted: Omit<DeadLetterCount, "count">,
      forget: readonly DeadLetterCount[],
    ): Promise<readonly DeadLetterCount[]> => {
      const written = await table.update(keyOf(appId), {
        add: { [deadLetterName(counted)]: 1 },
        set: { expiration: expiration() },
        remove: forget.map(deadLetterName),
      });
      return written.ok && written.item !== undefined ? deadLettersIn(written.item) : [];
    },

    ...createBreakers(table, expiration),
  };
}

async function setLater(
  table: Table,
  key: Item,
  name: string,
  untilMs: number,
  expiration: number,
): Promise<Item | undefined> {
  const written = await table.update(
    key,
    { set: { [name]: untilMs, expiration } },
    when("attribute_not_exists(#name) OR #name < :untilMs", { untilMs }, { name }),
  );
  return written.ok ? written.item : undefined;
}

function createBreakers(table: Table, expiration: () => number) {
  return {
    /** Opens the breaker at the fifth failure in a row from different lanes. Each call counts. */
    noteBad: async (
      appId: string,
      destination: string,
      lane: string,
      nowMs: number,
    ): Promise<DestinationState> => {
      const bad = await table.update(keyOf(appId), {
        add: { [`bad ${destination}`]: 1 },
        set: {
          expiration: expiration(),
          [`last ${destination}`]: triggerOf(destination) === undefined ? undefined : Math.floor(nowMs),
        },
      });
      const before = stateIn(bad.ok ? bad.item : undefined, destination);
      if (before.streakLanes.includes(lane) && before.sinceMs !== undefined) return before;
      const streakLanes = [...new Set([...before.streakLanes, lane])].slice(-openingStreak);
      const isLast = streakLanes.length >= openingStreak && before.probeAt === undefined;
      const written = await table.update(keyOf(appId), {
        set: {
          [`streakLanes ${destination}`]: streakLanes,
          [`since ${destination}`]: before.sinceMs === undefined ? Math.floor(nowMs) : undefined,
          [`probeAt ${destination}`]: isLast ? nowMs + probePauseMs : undefined,
        },
        remove: forgettable(bad.ok ? bad.item : undefined, nowMs, destination),
      });
      return stateIn(written.ok ? written.item : undefined, destination);
    },

    /** Closes the breaker. Each call counts. */
    noteOk: async (appId: string, destination: string, count: number, refused = 0): Promise<void> => {
      await table.update(keyOf(appId), {
        add: { [`ok ${destination}`]: count, ...(refused > 0 && { [`bad ${destination}`]: refused }) },
        remove: fields.slice(3).map((field) => `${field} ${destination}`),
      });
    },

    open: async (appId: string, destination: string, probeAt: number): Promise<void> => {
      const set = { [`opened ${destination}`]: probeAt, [`probeAt ${destination}`]: probeAt };
      await table.update(keyOf(appId), { set: { ...set, expiration: expiration() } });
    },

    claimProbe: async (
      appId: string,
      destination: string,
      probeAt: number,
      nowMs: number,
    ): Promise<boolean> => {
      const name = `probeAt ${destination}`;
      const change = { set: { [name]: nowMs + probePauseMs } };
      return (await table.update(keyOf(appId), change, when("#name = :probeAt", { probeAt }, { name }))).ok;
    },

    /** Returns the earliest time since which lanes wait for a destination. */
    noteWait: async (appId: string, destination: string, nowMs: number): Promise<DestinationState> => {
      const name = `since ${destination}`;
      const change = { set: { [name]: Math.floor(nowMs), expiration: expiration() } };
      const isFirst = when("attribute_not_exists(#name)", {}, { name });
      const written = await table.update(keyOf(appId), change, isFirst);
      return stateIn(written.ok ? written.item : written.old, destination);
    },
  };
}

function partitionOf(appId: string): Item {
  return { lane: `app ${appId}` };
}

function keyOf(appId: string): Item {
  return { ...partitionOf(appId), item: healthItem };
}

function toRecord(item: Item): Omit<HealthRecord, "parkedUntil" | "shadow" | "pauses"> {
  const destinations = new Map<string, DestinationState>();
  for (const name of Object.keys(item)) {
    const space = name.indexOf(" ");
    const [field, rest] = [name.slice(0, space), name.slice(space + 1)];
    if (fields.some((known) => known === field)) destinations.set(rest, stateIn(item, rest));
  }
  return { troubleUntil: numberIn(item, "troubleUntil"), destinations, deadLetters: deadLettersIn(item) };
}

const forgottenAtOnce = 20;
/** Longer than an event waits. */
const forgottenAfterMs = 14 * dayMs;

/** Of hosts not tried for long, and of too many healthy or failing ones. */
function forgettable(item: Item = {}, nowMs: number, failing?: string): readonly string[] {
  const others = [...toRecord(item).destinations].filter(([name]) => name !== failing);
  const triedBefore = nowMs - forgottenAfterMs;
  const silent = others.filter(
    ([, { sinceMs, probeAt = 0 }]) => sinceMs !== undefined && Math.max(sinceMs, probeAt) < triedBefore,
  );
  const healthy = others.filter(([, { sinceMs, probeAt }]) => sinceMs === undefined && probeAt === undefined);
  const failingHosts = others.filter(
    ([name, { sinceMs }]) => sinceMs !== undefined && triggerOf(name) === undefined,
  );
  // Waiting lanes know an outage by its begin.
  const byWorth = failingHosts.toSorted(
    ([, one], [, other]) => other.ok - one.ok || (one.sinceMs ?? 0) - (other.sinceMs ?? 0),
  );
  const spare = byWorth.slice(mostFailing);
  return [...new Set([...silent, ...(healthy.length > mostHealthy ? healthy : []), ...spare])]
    .slice(0, forgottenAtOnce)
    .flatMap(([name]) => fields.map((field) => `${field} ${name}`));
}

const parkedField = "parked ";

function parkedIn(item: Item): ReadonlyMap<string, number> {
  const names = Object.keys(item).filter((name) => name.startsWith(parkedField));
  return new Map(names.map((name) => [name.slice(parkedField.length), numberIn(item, name)]));
}

const deadLettersField = "burials ";

function deadLetterName({ minute, lane }: Omit<DeadLetterCount, "count">): string {
  return `${deadLettersField}${minute} ${lane}`;
}

function deadLettersIn(item: Item): readonly DeadLetterCount[] {
  return Object.keys(item)
    .filter((name) => name.startsWith(deadLettersField))
    .map((name) => {
      const [minute = "", ...lane] = name.slice(deadLettersField.length).split(" ");
      return { minute: Number(minute), lane: lane.join(" "), count: numberIn(item, name) };
    });
}

function stateIn(item: Item | undefined, destination: string): DestinationState {
  if (item === undefined) return unknownDestination;
  const numberOf = (field: (typeof fields)[number]) => numberOrNone(item, `${field} ${destination}`);
  const lanes = item[`streakLanes ${destination}`];
  const openedMs = numberOf("opened");
  return {
    ok: numberOf("ok") ?? 0,
    bad: numberOf("bad") ?? 0,
    streakLanes: Array.isArray(lanes) ? lanes.map(String) : [],
    probeAt: numberOf("probeAt"),
    sinceMs: numberOf("since"),
    lastMs: numberOf("last"),
    ...(openedMs !== undefined && { openedMs }),
  };
}

function numberIn(item: Item, name: string): number {
  return numberOrNone(item, name) ?? 0;
}

function numberOrNone(item: Item, name: string): number | undefined {
  const value = item[name];
  return typeof value === "number" ? value : undefined;
}

export function shareOf(lane: string): string {
  return sha256Hex(lane).slice(0, 2);
}
