import { type Condition, type Item, insist, type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { pause } from "../base/timers.ts";
import { joinFields } from "../events/identity.ts";
import type { ClaimMark } from "../events/marks/loop-guard.ts";
import type { OccurrenceMemory } from "../events/occurrence.ts";

/**
 * Remembers effects. *Begun* is written before a request is sent, so an effect that is begun and not done may
 * have happened. Repeatable.
 * @throws AwsCallError
 */
export type Ledger = ReturnType<typeof createLedger>;

export interface Claim {
  /** Unique, also among the effects of one event. */
  readonly owner: string;
  readonly deadlineMs: number;
  readonly receivedAt: number;
}

type Begun =
  | { readonly state: "fresh" }
  /** If it was done, then at `sinceMs` at the latest: look before acting. */
  | { readonly state: "unclear"; readonly sinceMs: number }
  | { readonly state: "busy"; readonly untilMs: number }
  | Done;

type Finished = Done | { readonly state: "busy"; readonly untilMs: number };

export interface Done {
  readonly state: "done";
  readonly result: string;
}

export type Release = "nothing happened" | { readonly unclearSinceMs: number };

/** Events are handled until 30 days after receipt. */
export const leastEffectDays = 35;
/** For old events: as long as retries may take. */
const leastRememberedMs = 2 * 24 * 60 * 60_000;

const maxTurns = 5;

export function createLedger({
  table,
  now,
  sleep = pause,
  effectDays = leastEffectDays,
}: {
  readonly table: Table;
  readonly now: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly effectDays?: number;
}) {
  const expiration = (receivedAt = now()) =>
    Math.ceil(Math.max(receivedAt + effectDays * 86_400_000, now() + leastRememberedMs) / 1000);

  return {
    begin: (key: string, claim: Claim) => begin(key, claim, expiration(claim.receivedAt), table, now),

    /**
     * `busy`: another process took over. Writes an entry that vanished again, because the owner knows that it
     * acted. Repeats the write until `untilMs`.
     */
    finish: async (key: string, owner: string, result: string, untilMs = 0): Promise<Finished> => {
      const change = { set: { owner, result, expiration: expiration() }, remove: ["deadline", "since"] };
      const write = () => table.update({ id: ledgerIdOf(key) }, change, when(isOwnerOrVanished, { owner }));
      const written = await insist(write, untilMs, { now, sleep });
      if (written.ok) return { state: "done", result };
      const { result: known, deadline } = readEntry(written.old ?? {});
      return known === undefined
        ? { state: "busy", untilMs: deadline ?? now() }
        : { state: "done", result: known };
    },

    /**
     * Lets the next process begin before the deadline, unless another took over. Writes an entry that
     * vanished again if something may have happened. Repeats the write until `untilMs`.
     */
    release: (key: string, owner: string, how: Release, untilMs = 0) =>
      insist(() => release(ledgerIdOf(key), owner, how, expiration(), table), untilMs, { now, sleep }),

    readById: async (id: string): Promise<Done | { readonly state: "begun" | "unknown" }> => {
      const item = await table.get({ id });
      if (item === undefined) return { state: "unknown" };
      const { result } = readEntry(item);
      return result === undefined ? { state: "begun" } : { state: "done", result };
    },
  };
}

async function begin(
  key: string,
  { owner, deadlineMs: deadline, receivedAt }: Claim,
  expiration: number,
  table: Table,
  now: () => number,
): Promise<Begun> {
  const id = ledgerIdOf(key);
  // A key begins with the app; its separators are escaped where keys are parts of keys.
  const [app] = key.split(/[\\|]/, 1);
  let free: { readonly entry: Entry; readonly since: number } | undefined;
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const written = await (free === undefined
      ? table.put({ id, app, owner, deadline, receivedAt, expiration }, ifNew)
      : table.update({ id }, { set: { owner, deadline, since: free.since } }, isUntouched(free.entry)));
    if (written.ok) return toBegun(free?.since);
    const entry = written.old && readEntry(written.old);
    const verdict = entry && judgeEntry(entry, owner, now());
    if (verdict?.state === "mine") return toBegun(verdict.sinceMs);
    if (verdict?.state === "busy" || verdict?.state === "done") return verdict;
    free = entry && verdict && { entry, since: verdict.sinceMs };
  }
  return { state: "busy", untilMs: now() + 1_000 };
}

async function release(id: string, owner: string, how: Release, expiration: number, table: Table) {
  const remove = ["owner", "deadline"];
  if (how === "nothing happened") {
    const released = await table.delete({ id }, when(isFirstOwner, { owner }));
    // An earlier owner may have acted: the entry stays unclear.
    if (released.ok || readEntry(released.old ?? {}).owner !== owner) return;
    await table.update({ id }, { remove }, when(isOwner, { owner }));
    return;
  }
  const set = { since: how.unclearSinceMs, expiration };
  await table.update({ id }, { set, remove }, when(isOwnerOrVanished, { owner }));
}

export function ledgerIdOf(key: string): string {
  return sha256Hex(key);
}

function toBegun(sinceMs: number | undefined): Begun {
  return sinceMs === undefined ? { state: "fresh" } : { state: "unclear", sinceMs };
}

/** Holds also after it finished: a write whose response was lost can be repeated. */
const isOwner = "#owner = :owner";

/**
 * Also true if the table lost the item: no process removes one that may have happened. The new item must set
 * its expiration.
 */
const isOwnerOrVanished = `attribute_not_exists(#id) OR ${isOwner}`;

const isFirstOwner = `${isOwner} AND attribute_not_exists(#since) AND attribute_not_exists(#result)`;

/** Owned: `owner`, `deadline`. Perhaps done by an earlier owner: `since`. Done: `result`. */
interface Entry {
  readonly owner: string | undefined;
  readonly deadline: number | undefined;
  readonly since: number | undefined;
  readonly result: string | undefined;
}

type Verdict =
  | { readonly state: "done"; readonly result: string }
  | { readonly state: "mine"; readonly sinceMs: number | undefined }
  | { readonly state: "busy"; readonly untilMs: number }
  | { readonly state: "free"; readonly sinceMs: number };

export function readEntry({ owner, deadline, since, result }: Item): Entry {
  return {
    owner: typeof owner === "string" ? owner : undefined,
    deadline: typeof deadline === "number" ? deadline : undefined,
    since: typeof since === "number" ? since : undefined,
    result: typeof result === "string" ? result : undefined,
  };
}

export function judgeEntry(
  { owner, deadline = 0, since, result }: Entry,
  asker: string,
  nowMs: number,
): Verdict {
  if (result !== undefined) return { state: "done", result };
  if (owner === undefined) return { state: "free", sinceMs: since ?? 0 };
  if (owner === asker) return { state: "mine", sinceMs: since };
  if (nowMs <= deadline) return { state: "busy", untilMs: deadline + 1 };
  return { state: "free", sinceMs: Math.max(deadline, since ?? 0) };
}

export const ifNew = /* @__PURE__ */ when("attribute_not_exists(#id)");

/** True for a free entry that is unchanged since it was read: every owner has a new token. */
function isUntouched({ owner }: Entry): Condition {
  const notDone = "attribute_exists(#id) AND attribute_not_exists(#result)";
  return owner === undefined
    ? when(`${notDone} AND attribute_not_exists(#owner)`)
    : when(`${notDone} AND ${isOwner}`, { owner });
}

// What the effect does may change between attempts, and the webhook between deliveries: neither is in the
// key.

interface TriggerKey {
  readonly appId: string;
  readonly occurrenceKey: string;
  readonly triggerName: string;
}

export function triggerKey({ appId, occurrenceKey, triggerName }: TriggerKey): string {
  return joinFields([appId, occurrenceKey, triggerName]);
}

export function effectKey(ofTrigger: string, effectName: string): string {
  return joinFields([ofTrigger, effectName]);
}

export function createOccurrenceMemory(table: Table, effectDays = leastEffectDays): OccurrenceMemory {
  const keyOf = (name: string) => ({ id: `occurrence#${sha256Hex(name)}` });

  const readOne = async (name: string) => {
    const receivedAt = (await table.get(keyOf(name)))?.receivedAt;
    return typeof receivedAt === "number" ? receivedAt : undefined;
  };

  return {
    read: (names) => Promise.all(names.map(readOne)),
    claim: async (name, receivedAt) => {
      const expiration = Math.ceil((receivedAt + effectDays * 86_400_000) / 1000);
      const claimed = await table.put({ ...keyOf(name), receivedAt, expiration }, ifNew);
      // Our own write, whose response was lost, or another delivery's. Both have a time.
      return claimed.ok ? receivedAt : ((await readOne(name)) ?? receivedAt);
    },
  };
}

const mostKnownMarks = 1_000;

export function createClaimMark(
  table: Table,
  knownHere: Map<string, unknown>,
  now: () => number,
  effectDays = leastEffectDays,
): ClaimMark {
  return async (mark, messageId) => {
    let bound = knownHere.get(mark);
    if (bound === undefined) {
      const expiration = Math.ceil(now() / 1000) + effectDays * 86_400;
      const written = await table.put({ id: `mark#${mark}`, messageId, expiration }, ifNew);
      bound = written.ok ? messageId : written.old?.messageId;
    }
    if (knownHere.size >= mostKnownMarks) knownHere.clear();
    knownHere.set(mark, bound);
    return bound === messageId;
  };
}
