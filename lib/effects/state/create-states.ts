import * as z from "zod/mini";
import type { Condition, Table } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import { parseJson } from "../../base/json.ts";
import { joinFields } from "../../events/identity.ts";
import type { EffectScope } from "../effect.ts";
import type { Perform } from "../perform.ts";
import type { StateKind } from "./define-state.ts";
import { StateBusyError, StateChangeError, StateMisfitError, StateValueError } from "./state-errors.ts";
import { readStateItem, type StateChange, type StateItem, writeStateItem } from "./state-item.ts";

/**
 * Gives what is remembered of a kind: for a uid, a conversation's id, or the app itself. Asks nothing yet.
 * @throws StateValueError for a key that is missing, or one too many
 * @example const { before } = await state(firstToday, uid).update(() => ({ day: "2026-11-22" }));
 */
export type States = <T>(kind: StateKind<T>, key?: string) => State<T>;

/** One value. All throw AwsCallError when the table cannot be reached. */
export interface State<T> {
  /** Gives what is remembered, as it is now; undefined for nothing. May be repeated. @throws StateMisfitError */
  get(): Promise<T | undefined>;
  /**
   * Changes what is remembered, once for this event and this trigger, however often the event is attempted: whoever
   * repeats it gets the same. No change of somebody else is lost: then `change` is asked again, so it only computes.
   * Undefined forgets the value. A second update of one value within a handler is another one, in their order.
   * @throws StateMisfitError; StateValueError for what does not fit the schema, or has more than 4 kB as JSON;
   * StateBusyError where others change it all the time; and as effects do
   */
  update(change: Compute<T>): Promise<Updated<T>>;
}

/** Computes a new value; undefined forgets it. */
type Compute<T> = (before: T | undefined) => T | undefined;

/** What was remembered before and after a change. */
export interface Updated<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface StatesOptions {
  /** Its key is `id`. */
  readonly table: Table;
  readonly appId: string;
  readonly perform: Perform;
  /** What a shadowed trigger remembers is kept apart. */
  readonly isShadow: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A state is for small values; what is big belongs into a store of its own. */
const maxBytes = 4_096;
/** Each turn means that somebody else has changed the value meanwhile. */
const maxTurns = 12;
const longestPauseMs = 400;

/** Makes what remembers values for the run of one trigger on one fact. */
export function createStates(options: StatesOptions): States {
  const { table, appId, perform, isShadow, now, token, random, sleep } = options;
  const updates = new Map<string, number>();

  return <T>(kind: StateKind<T>, key?: string): State<T> => {
    checkKey(kind, key);
    const { name, per, keepForMs } = kind;
    // The platform lowers ids (docs/platform/ids-and-limits.md#chosen-ids).
    const fields = [isShadow ? "shadow" : "state", appId, name, per, (key ?? "").toLowerCase()];
    const id = `state#${sha256Hex(joinFields(fields))}`;

    const read = async (): Promise<StateItem> => readStateItem(await table.get({ id }), now());

    /** Gives what is there instead when somebody else was quicker. */
    const write = async (item: StateItem, change: StateChange): Promise<StateItem | undefined> => {
      const written = await table.put(
        // In words, for whoever looks at the table.
        {
          id,
          app: appId,
          state: name,
          key: key ?? "",
          ...writeStateItem(item, change, { version: token(), keepForMs }),
        },
        isStill(item.version),
      );
      return written.ok ? undefined : readStateItem(written.old, now());
    };

    const change = async (by: string, compute: Compute<T>, { assertAlive }: EffectScope) => {
      let item = await read();
      for (let turn = 1; turn <= maxTurns; turn += 1) {
        // Our own write whose answer was lost, too.
        const made = item.changes.find((known) => known.by === by);
        if (made !== undefined) return made;
        const before = item.value ?? null;
        const after = toText(kind, computeFrom(kind, compute, before));
        const ours = { by, atMs: now(), before, after };
        assertAlive();
        const other = await write(item, ours);
        if (other === undefined) return ours;
        item = other;
        if (!item.changes.some((known) => known.by === by)) await sleep(random() * longestPauseMs);
      }
      throw new StateBusyError(name);
    };

    return {
      get: async () => parse(kind, (await read()).value ?? null),
      update: async (compute) => {
        const count = (updates.get(id) ?? 0) + 1;
        updates.set(id, count);
        const { before, after } = await perform(`state ${name} ${id} ${count}`, {
          kind: "state",
          isKeptApart: isShadow,
          stepsWith: ({ scope }, ofEffect) => {
            const by = sha256Hex(ofEffect).slice(0, 32);
            return {
              act: async () => {
                const { before, after } = await change(by, compute, scope);
                return { before, after };
              },
              look: async () => (await read()).changes.find((known) => known.by === by),
            };
          },
        });
        return { before: parse(kind, before), after: parse(kind, after) };
      },
    };
  };
}

function checkKey({ name, per }: StateKind<unknown>, key: string | undefined): void {
  const isGiven = key !== undefined && key !== "";
  if (isGiven === (per !== "app")) return;
  const advice = per === "app" ? "leave the key out" : `name the ${per} as key`;
  throw new StateValueError(`The state "${name}" is kept per ${per}: ${advice}.`);
}

/** Nothing has happened when it throws: the event need not wait for a look. */
function computeFrom<T>(kind: StateKind<T>, compute: Compute<T>, before: string | null): T | undefined {
  const known = parse(kind, before);
  try {
    return compute(known);
  } catch (cause) {
    throw new StateChangeError(kind.name, cause);
  }
}

function parse<T>({ name, schema }: StateKind<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  const result = z.safeParse(schema(), parseJson(text));
  if (result.success) return result.data;
  throw new StateMisfitError(name, result.error.issues[0]?.path.map(String).join(".") ?? "");
}

/** As JSON; null for nothing. */
function toText<T>({ name, schema }: StateKind<T>, value: T | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  const result = z.safeParse(schema(), parseJson(text ?? ""));
  if (!result.success) {
    const field = result.error.issues[0]?.path.map(String).join(".") ?? "";
    throw new StateValueError(
      `The state "${name}" would not fit its schema${field === "" ? "" : ` at ${field}`}, once it is JSON.`,
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  throw new StateValueError(`The state "${name}" would have ${bytes} bytes as JSON, and ${maxBytes} may be.`);
}

function isStill(version: string | undefined): Condition {
  if (version === undefined) return { expression: "attribute_not_exists(#id)", names: { "#id": "id" } };
  const names = { "#version": "version" };
  return { expression: "#version = :version", names, values: { ":version": version } };
}
