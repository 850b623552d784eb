import type { Condition, Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { type Entry, isAbsent, isUntouched, judgeEntry, readEntry } from "./ledger-entry.ts";

/**
 * Remembers which effects were begun, by whom, and which are done. Before anything leaves, the table says *begun*; what is
 * begun and not done may have happened, so whoever comes next looks before it acts.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface Ledger {
  /** Asks for an effect: `fresh` and `unclear` put it into the asker's hands until its deadline. */
  begin(key: string, claim: Claim): Promise<Begun>;
  /**
   * Writes the owner's result. Returns `busy` if another process has taken the effect over. An entry that has vanished
   * from the table is written again: the owner knows that it has acted.
   */
  finish(key: string, owner: string, result: string): Promise<Finished>;
  /**
   * Releases an effect, so that the next process need not wait for the deadline. Does nothing if another process has taken
   * it over. An entry that has vanished is written again if something may have happened.
   */
  release(key: string, owner: string, how: Release): Promise<void>;
  /** Tells what became of an effect, by its id on the table. */
  read(id: string): Promise<Done | { readonly state: "begun" | "unknown" }>;
}

export interface Claim {
  /** A token that nobody used before, not even for another effect of the same event. */
  readonly owner: string;
  /** Milliseconds since 1970 after which the owner starts nothing: then another may take over. */
  readonly deadlineMs: number;
  /** When the event was received, in milliseconds since 1970. */
  readonly receivedAt: number;
}

export type Begun =
  /** Nothing of the kind was ever begun, or all that was begun surely did not happen. */
  | { readonly state: "fresh" }
  /** May have been done, at the latest at `sinceMs`: look before acting. */
  | { readonly state: "unclear"; readonly sinceMs: number }
  /** In somebody else's hands until then. */
  | { readonly state: "busy"; readonly untilMs: number }
  | Done;

export type Finished = Done | { readonly state: "busy"; readonly untilMs: number };

interface Done {
  readonly state: "done";
  /** What the effect gave the first time, as JSON. */
  readonly result: string;
}

/** Nothing happened for sure, or something may have happened until a moment in milliseconds since 1970. */
export type Release = "nothing happened" | { readonly unclearSinceMs: number };

/** Nothing older than 30 days since receipt is acted on, so 35 outlast every replay. */
const rememberedMs = 35 * 24 * 60 * 60_000;
/** What is acted on in spite of its age is remembered as long as its retries may take. */
const leastRememberedMs = 2 * 24 * 60 * 60_000;

/** Each turn means that somebody else has changed the entry meanwhile. */
const maxTurns = 5;

/** Keeps the ledger on a table whose key is `id`. */
export function createLedger({ table, now }: { readonly table: Table; readonly now: () => number }): Ledger {
  const expiration = (receivedAt = now()) =>
    Math.ceil(Math.max(receivedAt + rememberedMs, now() + leastRememberedMs) / 1000);
  const beginFresh = (id: string, { owner, deadlineMs: deadline, receivedAt }: Claim) =>
    table.put({ id, owner, deadline, receivedAt, expiration: expiration(receivedAt) }, isAbsent);
  const takeOver = (id: string, { owner, deadlineMs: deadline }: Claim, { entry, sinceMs: since }: Free) =>
    table.update({ id }, { set: { owner, deadline, since } }, isUntouched(entry));

  return {
    begin: async (key, claim) => {
      const id = ledgerIdOf(key);
      let free: Free | undefined;
      for (let turn = 1; turn <= maxTurns; turn += 1) {
        const written = await (free === undefined ? beginFresh(id, claim) : takeOver(id, claim, free));
        if (written.ok) return toBegun(free?.sinceMs);
        const entry = written.old && readEntry(written.old);
        const verdict = entry && judgeEntry(entry, claim.owner, now());
        if (verdict?.state === "mine") return toBegun(verdict.sinceMs);
        if (verdict?.state === "busy" || verdict?.state === "done") return verdict;
        // Without an entry it was given back and forgotten between two turns.
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
        // An earlier owner may have acted all the same: then the entry stays, as unclear as it was.
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

/** An entry that is nobody's, and the last moment at which somebody may have acted. */
interface Free {
  readonly entry: Entry;
  readonly sinceMs: number;
}

/** Gives an effect's id on the table. Keys hold customers' own ids, of any length. */
export function ledgerIdOf(key: string): string {
  return sha256Hex(key);
}

function toBegun(sinceMs: number | undefined): Begun {
  return sinceMs === undefined ? { state: "fresh" } : { state: "unclear", sinceMs };
}

/** Holds for whoever has it in hand, and after it was finished, so that a lost answer can be asked for again. */
function isOwner(owner: string): Condition {
  return { expression: "#owner = :owner", names: { "#owner": "owner" }, values: { ":owner": owner } };
}

/**
 * Also holds if the entry has vanished: no process removes an entry whose effect may have happened, so the table lost it. The
 * item is then made anew, and must carry its expiration.
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
