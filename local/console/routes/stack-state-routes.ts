import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { readAttributes } from "../../../lib/aws/table.ts";
import { parseJson, readPath } from "../../../lib/base/json.ts";
import { isSuppressed } from "../../../lib/effects/effect.ts";
import { effectKey, ledgerIdOf, triggerKey } from "../../../lib/effects/ledger.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import type { Item } from "../../cloud/table/attribute-value.ts";
import type { Table } from "../../cloud/table/table.ts";
import { keyOf, writeKey } from "../../cloud/table/table-keys.ts";
import type { ItemsAnswer, ShownItem } from "../api/stack.ts";
import type { ConsoleContext } from "../console-context.ts";
import { handlerOf } from "../journeys/journey.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { aCount, aText, must, readFilters, readInput, WrongInputError } from "../read-input.ts";
import { pageOf } from "../rows.ts";

const perPage = 50;
/** The maximum of a trigger's state as JSON (docs/triggers.md). */
const maxValueBytes = 4_096;
const querySchema = z.object({ table: aText, search: aText, page: aCount });
const changeSchema = z.strictObject({ table: z.literal("StateTable"), key: z.string(), value: z.string() });
const removeSchema = z.strictObject({ table: z.string(), key: z.string() });

/** Tables in words; `PUT` changes a trigger's state, `DELETE` removes an item. */
export function addStackStateRoutes({ on, localStack, journal }: ConsoleContext): void {
  const path = "/api/stack/state";
  const { cloud, platform } = localStack;
  const tableOf = (logicalId: string) => {
    const name = Object.hasOwn(shownTables, logicalId) ? cloud.resources[logicalId]?.name : undefined;
    return cloud.stores.tables.get(must(name, `There is no table ${logicalId}.`)).table;
  };
  const tables = () =>
    Object.entries(shownTables)
      .filter(([id]) => cloud.resources[id] !== undefined)
      .map(([id, title]) => ({ id, title, count: tableOf(id).all().length }));
  const find = (logicalId: string, key: string) => {
    const table = tableOf(logicalId);
    const found = table.all().find((one) => nameOf(one, table) === key);
    const item = must(found, `The item no longer exists on ${logicalId}.`);
    return { table, item };
  };

  on.get(path, (context) => {
    const { table: logicalId = "StateTable", search = "", page } = readFilters(context, querySchema);
    const table = tableOf(logicalId);
    const names = logicalId === "EffectsTable" ? nameEffects(journal.store) : new Map();
    const found = listItems(table, { logicalId, search, names, nowMs: platform.clock.now() });
    return {
      ...pageOf(found, page, perPage, (item) => item),
      tables: tables(),
      table: logicalId,
    } satisfies ItemsAnswer;
  });
  on.put(path, async (context) => {
    const { table: logicalId, key, value } = await readInput(context, changeSchema);
    if (parseJson(value) === undefined)
      throw new WrongInputError("The value is not JSON. A text needs quotes.");
    if (Buffer.byteLength(value) > maxValueBytes) {
      throw new WrongInputError(`A value can have at most ${maxValueBytes} bytes as JSON.`, 413);
    }
    const { table, item } = find(logicalId, key);
    // A concurrent function finds another version and tries again.
    const next = { ...item, value: { S: JSON.stringify(parseJson(value)) }, version: { S: randomUUID() } };
    table.commit(item, next);
    return { success: true };
  });
  on.delete(path, async (context) => {
    const { table: logicalId, key } = await readInput(context, removeSchema);
    const { table, item } = find(logicalId, key);
    table.commit(item, undefined);
    return { success: true };
  });
}

function nameOf(item: Item, { settings }: Table) {
  return writeKey(keyOf(settings.keys, item));
}

type Words = Omit<ShownItem, "expiresAtMs" | "facts" | "key">;
type Fields = Readonly<Record<string, unknown>>;

interface ItemContext {
  readonly nowMs: number;
  readonly names: ReadonlyMap<string, EffectName>;
}

const shownTables: Readonly<Record<string, string>> = {
  StateTable: "State of triggers",
  EffectsTable: "Effects",
  LanesTable: "Lanes and apps",
  FlowsTable: "Waits and kept events of flows",
  CallsTable: "Calls",
  LoginsTable: "Logins",
};

const describers = new Map([
  ["StateTable", describeState],
  ["EffectsTable", describeEffect],
]);

function listItems(
  table: Table,
  wanted: ItemContext & { readonly logicalId: string; readonly search: string },
): readonly ShownItem[] {
  const search = wanted.search.toLowerCase();
  const describe = describers.get(wanted.logicalId) ?? describeOther;
  return table
    .all()
    .map((item): ShownItem => {
      const plain = Object.entries(readAttributes(item)).map(([name, value]) => {
        return [name, value instanceof Uint8Array ? `${value.byteLength} bytes` : value];
      });
      const facts: Fields = Object.fromEntries(plain);
      const { expiration } = facts;
      const expiresAtMs = typeof expiration === "number" ? expiration * 1000 : undefined;
      return { ...describe(facts, wanted), key: nameOf(item, table), expiresAtMs, facts };
    })
    .filter(({ title, about, status }) => `${title} ${about} ${status}`.toLowerCase().includes(search))
    .toSorted((one, other) => (other.atMs ?? 0) - (one.atMs ?? 0) || (one.key < other.key ? -1 : 1));
}

interface EffectName {
  readonly deliveryKey: string;
  readonly trigger: string;
  readonly effect: string;
}

/** Names effects by the journeys: the ledger's ids are digests. */
function nameEffects({ journeys }: JourneyStore): ItemContext["names"] {
  const names = new Map<string, EffectName>();
  for (const { facts, messages } of journeys.values()) {
    const { appId, deliveryKey } = facts;
    if (deliveryKey === undefined) continue;
    for (const { receivedAtMs, runs } of messages.flatMap(({ attempts }) => attempts)) {
      for (const run of runs) {
        const trigger = handlerOf(run);
        // The first receipt follows a key that can recur.
        for (const occurrenceKey of [deliveryKey, `${deliveryKey}|@${receivedAtMs}`]) {
          const key = triggerKey({ appId, occurrenceKey, triggerName: trigger });
          for (const { name: effect } of run.effects)
            names.set(ledgerIdOf(effectKey(key, effect)), { deliveryKey, trigger, effect });
        }
      }
    }
  }
  return names;
}

function describeState(fields: Fields, { nowMs }: ItemContext): Words {
  const { state = "value", key, value, until, changes } = fields;
  const last: unknown = Array.isArray(changes) ? changes.at(-1) : undefined;
  const shown = {
    title: String(state),
    about: String(key || "the app"),
    atMs: numberOf(readPath(last, "atMs")),
  };
  return typeof value === "string" && typeof until === "number" && nowMs < until
    ? { ...shown, status: "kept", tone: "good", value }
    : { ...shown, status: "forgotten", tone: "quiet" };
}

export function describeEffect(fields: Fields, { names, nowMs }: ItemContext): Words {
  const { id = "", owner, deadline, since, result, receivedAt } = fields;
  const name = names.get(String(id));
  const shown = {
    title: name === undefined ? "An effect" : `${name.trigger}: ${name.effect}`,
    about: name?.deliveryKey ?? `digest ${String(id).slice(0, 12)}…`,
    atMs: numberOf(receivedAt),
  };
  // The first receipt of an event, and the automatic answers of a conversation.
  if ([result, owner, since, deadline].every((value) => value === undefined))
    return { ...shown, title: "A note", status: "remembered", tone: "quiet" };
  if (typeof result === "string") {
    const given = parseJson(result);
    const passedOver = readPath(given, "passedOver");
    if (isSuppressed(passedOver)) return { ...shown, status: effectText(passedOver), tone: "quiet" };
    const made = readPath(given, "id");
    return { ...shown, status: made === undefined ? "done" : `done, made ${made}`, tone: "good" };
  }
  const begun = Number(deadline) < nowMs ? "begun, but its process ended" : "begun";
  const status = owner === undefined ? "possibly done, checked before the next attempt" : begun;
  return { ...shown, status, tone: "waiting" };
}

function describeOther(fields: Fields): Words {
  const about = Object.entries(fields).map(([name, value]) => {
    return `${name} ${typeof value === "object" ? "…" : String(value)}`;
  });
  return { title: "An item", about: about.join(", "), status: "noted", tone: "plain" };
}

function numberOf(value: unknown) {
  return typeof value === "number" ? value : undefined;
}
