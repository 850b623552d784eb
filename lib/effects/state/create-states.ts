import * as z from "zod/mini";
import type { Item, Table } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { pathOf } from "../../chat/schema.ts";
import { joinFields } from "../../events/identity.ts";
import type { EffectLimits } from "../effect.ts";
import { StateBusyError, StateChangeError, StateMisfitError, StateValueError } from "../effect-errors.ts";
import { type Ledger, ledgerIdOf } from "../ledger.ts";
import type { Perform } from "../perform.ts";
import { isStill } from "../recent-answers.ts";
import type { StateKind } from "./define-state.ts";

/**
 * Returns the state of a kind: for a uid, a conversation's id, a key, or the app. Reads nothing yet.
 * @throws StateValueError if the key is missing, or not expected
 * @example const { before } = await state(firstToday, uid).update(() => ({ day: "2026-11-22" }));
 */
export type States = <T>(kind: StateKind<T>, key?: string) => State<T>;

/** One value. @throws AwsCallError */
export interface State<T> {
  /** Returns the current value; undefined if it does not exist. May be repeated. @throws StateMisfitError */
  get(): Promise<T | undefined>;
  /**
   * Changes the value once for this event and trigger; repeated attempts return the first result. On a
   * concurrent change, `change` runs again with the new value, so it must only compute. Undefined deletes the
   * value. A handler's updates of one value are distinct, in order.
   * @throws StateMisfitError; StateValueError if the value does not match the schema or exceeds 4 kB as JSON;
   * StateBusyError after too many concurrent changes; and as effects do
   */
  update(change: Compute<T>): Promise<Updated<T>>;
}

type Compute<T> = (before: T | undefined) => T | undefined;

export interface Updated<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface StatesOptions {
  readonly table: Table;
  readonly appId: string;
  readonly perform: Perform;
  /** Reads which changes are done. */
  readonly ledger: Pick<Ledger, "readById">;
  readonly isShadow: boolean;
  readonly now: () => number;
  readonly token: () => string;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const maxBytes = 4_096;
const mostKeyCharacters = 500;
const maxTurns = 12;
const longestPauseMs = 400;

export function createStates(options: StatesOptions): States {
  const { table, appId, perform, isShadow, now } = options;
  const updates = new Map<string, number>();

  return <T>(kind: StateKind<T>, key?: string): State<T> => {
    checkKey(kind, key);
    const { name, per } = kind;
    // The platform converts ids to lower case (docs/internals/platform/ids-and-limits.md#chosen-ids).
    const ofKey = per === "key" ? key : key?.toLowerCase();
    const fields = [isShadow ? "shadow" : "state", appId, name, per, ofKey ?? ""];
    const id = `state#${sha256Hex(joinFields(fields))}`;
    const read = async () => readStateItem(await table.get({ id }), now());

    return {
      get: async () => parse(kind, (await read()).value ?? null),
      update: async (compute) => {
        const count = (updates.get(id) ?? 0) + 1;
        updates.set(id, count);
        // With its key, a person's values can be found and erased.
        const { before, after } = await perform(`state ${name} ${id} ${count}`, {
          kind: "state",
          isKeptApart: isShadow,
          stepsWith: ({ limits }, ofEffect) => {
            const by = ledgerIdOf(ofEffect);
            const keptOf = ({ before, after }: StateChange) => ({ key, before, after });
            return {
              act: async () =>
                keptOf(await change({ id, kind, key, by, item: await read() }, compute, limits, options)),
              look: async () => {
                const made = madeBy(by, await read());
                return made && keptOf(made);
              },
            };
          },
        });
        return { before: parse(kind, before), after: parse(kind, after) };
      },
    };
  };
}

interface Changing<T> {
  readonly id: string;
  readonly kind: StateKind<T>;
  readonly key: string | undefined;
  readonly by: string;
  readonly item: StateItem;
}

async function change<T>(
  { id, kind, key = "", by, item: first }: Changing<T>,
  compute: Compute<T>,
  { assertAlive }: EffectLimits,
  options: StatesOptions,
): Promise<StateChange> {
  const { table, appId, now, token, random, sleep } = options;
  const { name, keepForMs } = kind;
  let item = first;
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    // Finds also our own write whose response was lost.
    const made = madeBy(by, item);
    if (made !== undefined) return made;
    const before = item.value ?? null;
    const after = toText(kind, computeFrom(kind, compute, before));
    const changes = await neededOf(item.changes, options);
    const ours = { by, atMs: now(), before, after };
    assertAlive();
    const content = writeStateItem(changes, ours, { version: token(), keepForMs });
    const written = await table.put({ id, app: appId, state: name, key, ...content }, isStill(item.version));
    if (written.ok) return ours;
    item = readStateItem(written.old, now());
    if (madeBy(by, item) === undefined) await sleep(random() * longestPauseMs);
  }
  throw new StateBusyError(name);
}

function checkKey({ name, per }: StateKind<unknown>, key: string | undefined) {
  const isGiven = key !== undefined && key !== "";
  const isTooLong = per === "key" && key !== undefined && key.length > mostKeyCharacters;
  if (isGiven === (per !== "app") && !isTooLong) return;
  const named =
    per === "key" ? `give it one of 1 to ${mostKeyCharacters} characters` : `name the ${per} as key`;
  const advice = per === "app" ? "leave the key out" : named;
  throw new StateValueError(`The state "${name}" is kept per ${per}: ${advice}.`);
}

/** Runs before any write: if it throws, the event need not wait for a look. */
function computeFrom<T>(kind: StateKind<T>, compute: Compute<T>, before: string | null) {
  const known = parse(kind, before);
  try {
    return compute(known);
  } catch (cause) {
    throw new StateChangeError(kind.name, cause);
  }
}

function parse<T>({ name, schema }: StateKind<T>, text: string | null) {
  if (text === null) return undefined;
  const result = z.safeParse(schema(), parseJson(text));
  if (result.success) return result.data;
  throw new StateMisfitError(name, pathOf(result.error));
}

function toText<T>({ name, schema }: StateKind<T>, value: T | undefined) {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  const result = z.safeParse(schema(), parseJson(text ?? ""));
  if (!result.success) {
    const field = pathOf(result.error);
    throw new StateValueError(
      `The state "${name}" would not fit its schema${field === "" ? "" : ` at ${field}`}, once it is JSON.`,
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  throw new StateValueError(`The state "${name}" would have ${bytes} bytes as JSON, and ${maxBytes} may be.`);
}

interface StateItem {
  /** JSON; undefined if absent or expired. */
  readonly value: string | undefined;
  readonly version: string | undefined;
  /** Newest last. Contains the change of each effect that is not done, so that it is not made again. */
  readonly changes: readonly StateChange[];
}

export interface StateChange {
  readonly by: string;
  readonly atMs: number;
  /** JSON, or null. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Beyond this, changes whose effects are done are dropped: the ledger has their results. */
const maxChanges = 16;
const maxBytesOfChanges = 20_000;
/** Limits the reads that a write waits for. */
const maxReads = 25;
/** For a change whose effect the ledger does not know: it was shown in shadow. */
const knownMs = 10 * 60_000;
/** DynamoDB limits an item to 400 kB. Only beyond this, a change of an effect that is not done is dropped. */
const maxItemBytes = 300_000;
/** An expired value is kept this long for its changes. */
const leastKeptMs = 60 * 60_000;

export function readStateItem(item: Item | undefined, nowMs: number): StateItem {
  const { value, version, until, changes } = item ?? {};
  const isKept = typeof value === "string" && typeof until === "number" && nowMs < until;
  return {
    value: isKept ? value : undefined,
    version: typeof version === "string" ? version : undefined,
    changes: Array.isArray(changes) ? changes.flatMap(readChange) : [],
  };
}

export function writeStateItem(
  changes: readonly StateChange[],
  change: StateChange,
  { version, keepForMs }: { readonly version: string; readonly keepForMs: number },
): Item {
  const until = change.atMs + keepForMs;
  return {
    value: change.after ?? undefined,
    until,
    version,
    changes: newestOf([...changes, change]).map(({ by, atMs, before, after }) => ({
      by,
      atMs,
      before,
      after,
    })),
    expiration: Math.ceil(Math.max(until, change.atMs + leastKeptMs) / 1000),
  };
}

function madeBy(by: string, { changes }: StateItem) {
  return changes.find((known) => known.by === by);
}

async function neededOf(
  changes: readonly StateChange[],
  { ledger, isShadow, now }: StatesOptions,
): Promise<readonly StateChange[]> {
  if (changes.length < maxChanges && bytesOf(changes) < maxBytesOfChanges) return changes;
  if (isShadow) return changes.slice(1 - maxChanges); // without a ledger
  const reads = changes.slice(0, maxReads).map(({ by }) => ledger.readById(by));
  const effects = await Promise.all(reads).catch(() => []);
  return changes.filter(({ atMs }, index) => {
    const state = effects[index]?.state;
    return state !== "done" && (state !== "unknown" || now() - atMs <= knownMs);
  });
}

function bytesOf(changes: readonly StateChange[]) {
  const texts = changes.flatMap(({ before, after }) => [before ?? "", after ?? ""]);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 120 * changes.length);
}

function newestOf(changes: readonly StateChange[]): readonly StateChange[] {
  return bytesOf(changes) <= maxItemBytes ? changes : newestOf(changes.slice(1));
}

function readChange(item: unknown): StateChange[] {
  if (!isRecord(item)) return [];
  const { by, atMs, before = null, after = null } = item;
  const isText = (text: unknown): text is string | null => text === null || typeof text === "string";
  return typeof by === "string" && typeof atMs === "number" && isText(before) && isText(after)
    ? [{ by, atMs, before, after }]
    : [];
}
