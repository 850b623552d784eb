import type { Condition, Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { joinFields } from "../events/identity.ts";

/**
 * Records which effects were begun, by which owner, and which are done. *Begun* is written before a request
 * is sent. An effect that is begun and not done may have happened, so the next owner looks before it acts.
 * All methods may be repeated.
 * @throws AwsCallError if the table cannot be reached
 */
export interface Ledger {
  /** Claims an effect: after `fresh` and `unclear` the caller owns it until its deadline. */
  begin(key: string, claim: Claim): Promise<Begun>;
  /**
   * Writes the owner's result. Returns `busy` if another process has taken the effect over. Writes a vanished
   * entry again: the owner knows that it acted.
   */
  finish(key: string, owner: string, result: string): Promise<Finished>;
  /**
   * Releases an effect, so that the next process need not wait for the deadline. Does nothing if another
   * process has taken it over. Writes a vanished entry again if something may have happened.
   */
  release(key: string, owner: string, how: Release): Promise<void>;
  /** Returns the state of an effect by its id on the table. */
  read(id: string): Promise<Done | { readonly state: "begun" | "unknown" }>;
}

export interface Claim {
  /** A unique token, also among effects of the same event. */
  readonly owner: string;
  /** Milliseconds since 1970 after which the owner starts nothing and another process may take over. */
  readonly deadlineMs: number;
  /** When the event was received, in milliseconds since 1970. */
  readonly receivedAt: number;
}

export type Begun =
  /** Never begun, or everything that was begun certainly did not happen. */
  | { readonly state: "fresh" }
  /** May have been done, at the latest at `sinceMs`: look before acting. */
  | { readonly state: "unclear"; readonly sinceMs: number }
  /** Owned by another process until then. */
  | { readonly state: "busy"; readonly untilMs: number }
  | Done;

export type Finished = Done | { readonly state: "busy"; readonly untilMs: number };

interface Done {
  readonly state: "done";
  /** The first result, as JSON. */
  readonly result: string;
}

/** Certainly nothing happened, or something may have happened until a time in milliseconds since 1970. */
export type Release = "nothing happened" | { readonly unclearSinceMs: number };

/** Events older than 30 days since receipt are not handled, so 35 days outlast every replay. */
const rememberedMs = 35 * 24 * 60 * 60_000;
/** An event that is handled despite its age is remembered for as long as its retries may take. */
const leastRememberedMs = 2 * 24 * 60 * 60_000;

/** Each turn means that another process changed the entry in the meantime. */
const maxTurns = 5;

/** Keeps the ledger on a table whose key is `id`. */
export function createLedger({ table, now }: { readonly table: Table; readonly now: () => number }): Ledger {
  const expiration = (receivedAt = now()) =>
    Math.ceil(Math.max(receivedAt + rememberedMs, now() + leastRememberedMs) / 1000);
  const beginFresh = (key: string, { owner, deadlineMs: deadline, receivedAt }: Claim) => {
    // A key begins with the app; its separators are escaped where keys are parts of keys.
    const [app] = key.split(/[\\|]/, 1);
    const item = { id: ledgerIdOf(key), app, owner, deadline, receivedAt };
    return table.put({ ...item, expiration: expiration(receivedAt) }, isAbsent);
  };
  const takeOver = (id: string, { owner, deadlineMs: deadline }: Claim, { entry, sinceMs: since }: Free) =>
    table.update({ id }, { set: { owner, deadline, since } }, isUntouched(entry));

  return {
    begin: async (key, claim) => {
      const id = ledgerIdOf(key);
      let free: Free | undefined;
      for (let turn = 1; turn <= maxTurns; turn += 1) {
        const written = await (free === undefined ? beginFresh(key, claim) : takeOver(id, claim, free));
        if (written.ok) return toBegun(free?.sinceMs);
        const entry = written.old && readEntry(written.old);
        const verdict = entry && judgeEntry(entry, claim.owner, now());
        if (verdict?.state === "mine") return toBegun(verdict.sinceMs);
        if (verdict?.state === "busy" || verdict?.state === "done") return verdict;
        // Without an entry, it was released and deleted between two turns.
        free = entry && verdict && { entry, sinceMs: verdict.sinceMs };
      }
      return { state: "busy", untilMs: now() + 1_000 };
    },

    finish: async (key, owner, result) => {
      const change = { set: { owner, result, expiration: expiration() }, remove: ["deadline", "since"] };
      const written = await table.update({ id: ledgerIdOf(key) }, change, isOwnerOrVanished(owner));
      if (written.ok) return { state: "done", result };
      const { result: known, deadline } = readEntry(written.old ?? {});
      return known === undefined
        ? { state: "busy", untilMs: deadline ?? now() }
        : { state: "done", result: known };
    },

    release: async (key, owner, how) => {
      const id = ledgerIdOf(key);
      if (how === "nothing happened") {
        const released = await table.delete({ id }, isFirstOwner(owner));
        // An earlier owner may have acted nevertheless: then the entry stays as unclear as it was.
        if (released.ok || readEntry(released.old ?? {}).owner !== owner) return;
        await table.update({ id }, { remove: ["owner", "deadline"] }, isOwner(owner));
        return;
      }
      const set = { since: how.unclearSinceMs, expiration: expiration() };
      await table.update({ id }, { set, remove: ["owner", "deadline"] }, isOwnerOrVanished(owner));
    },

    read: async (id) => {
      const item = await table.get({ id });
      if (item === undefined) return { state: "unknown" };
      const { result } = readEntry(item);
      return result === undefined ? { state: "begun" } : { state: "done", result };
    },
  };
}

/** An entry without owner, and the last time at which one may have acted. */
interface Free {
  readonly entry: Entry;
  readonly sinceMs: number;
}

/** Returns an effect's id on the table. Keys hold customers' ids of any length. */
export function ledgerIdOf(key: string): string {
  return sha256Hex(key);
}

function toBegun(sinceMs: number | undefined): Begun {
  return sinceMs === undefined ? { state: "fresh" } : { state: "unclear", sinceMs };
}

/** True for the owner, also after it finished, so that a write whose response was lost can be repeated. */
function isOwner(owner: string): Condition {
  return { expression: "#owner = :owner", names: { "#owner": "owner" }, values: { ":owner": owner } };
}

/**
 * Also true if the entry has vanished. No process removes an entry whose effect may have happened, so the
 * table lost it. The item is then created again and must set its expiration.
 */
function isOwnerOrVanished(owner: string): Condition {
  const { expression, names, values } = isOwner(owner);
  return {
    expression: `${isAbsent.expression} OR ${expression}`,
    names: { ...isAbsent.names, ...names },
    ...(values && { values }),
  };
}

function isFirstOwner(owner: string): Condition {
  const { expression, names, values } = isOwner(owner);
  const isFirst = "attribute_not_exists(#since) AND attribute_not_exists(#result)";
  return {
    expression: `${expression} AND ${isFirst}`,
    names: { ...names, "#since": "since", "#result": "result" },
    ...(values && { values }),
  };
}

/**
 * An effect's item on the table. Times are milliseconds since 1970. Owned: `owner` and `deadline`. Perhaps
 * done by an earlier owner: `since`. Done: `result`.
 */
export interface Entry {
  readonly owner: string | undefined;
  readonly deadline: number | undefined;
  readonly since: number | undefined;
  /** JSON */
  readonly result: string | undefined;
}

/** What an entry means for a process that wants to begin now. */
export type Verdict =
  | { readonly state: "done"; readonly result: string }
  /** Owned by the caller: the response to an earlier try of this write was lost. */
  | { readonly state: "mine"; readonly sinceMs: number | undefined }
  | { readonly state: "busy"; readonly untilMs: number }
  /** `sinceMs`: the last time at which an earlier owner may have acted. */
  | { readonly state: "free"; readonly sinceMs: number };

/** Reads an item of the effects table; values of other types count as absent. */
export function readEntry({ owner, deadline, since, result }: Item): Entry {
  return {
    owner: typeof owner === "string" ? owner : undefined,
    deadline: typeof deadline === "number" ? deadline : undefined,
    since: typeof since === "number" ? since : undefined,
    result: typeof result === "string" ? result : undefined,
  };
}

/** Judges an entry for `asker` (pure). */
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

/** True if the table has no item with this id. */
export const isAbsent: Condition = { expression: "attribute_not_exists(#id)", names: { "#id": "id" } };

/** True while a free entry is unchanged since it was read: every owner has a new token. */
export function isUntouched({ owner }: Entry): Condition {
  const names = { "#id": "id", "#owner": "owner", "#result": "result" };
  const notDone = "attribute_exists(#id) AND attribute_not_exists(#result)";
  return owner === undefined
    ? { expression: `${notDone} AND attribute_not_exists(#owner)`, names }
    : { expression: `${notDone} AND #owner = :owner`, names, values: { ":owner": owner } };
}

// The key of an effect names the trigger that asks for it and the fact that it is for. What the effect does
// may change between attempts, and the webhook may differ between deliveries: neither is part of the key.

export function triggerKey(of: {
  readonly appId: string;
  /** Equal for all deliveries of one fact, through any webhook. */
  readonly factKey: string;
  readonly triggerName: string;
}): string {
  return joinFields([of.appId, of.factKey, of.triggerName]);
}

export function effectKey(ofTrigger: string, effectName: string): string {
  return joinFields([ofTrigger, effectName]);
}
