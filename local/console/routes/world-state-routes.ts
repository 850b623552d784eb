import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import type { Item } from "../../cloud/table/attribute-value.ts";
import { keyOf, writeKey } from "../../cloud/table/table-keys.ts";
import type { ItemsAnswer } from "../api/world-state.ts";
import type { ConsoleContext } from "../console-context.ts";
import { aCount, aText, must, readFilters, readInput, WrongInputError } from "../read-input.ts";
import { pageOf } from "../rows.ts";
import { listItems, nameEffects, shownTables } from "../world/list-items.ts";

const perPage = 50;
/** The maximum of a trigger's state as JSON (docs/triggers.md). */
const maxValueBytes = 4_096;
const querySchema = z.object({ table: aText, search: aText, page: aCount });
const changeSchema = z.strictObject({ table: z.literal("StateTable"), key: z.string(), value: z.string() });
const removeSchema = z.strictObject({ table: z.string(), key: z.string() });

/**
 * `/api/world/state`: tables in words, in pages; `PUT` changes a trigger's state, `DELETE` removes an item.
 */
export function addWorldStateRoutes({ on, world, journal }: ConsoleContext): void {
  const path = "/api/world/state";
  const { cloud, platform } = world;
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
    const found = table.all().find((one) => nameOf(one, table.settings.keys) === key);
    const item = must(found, `The item no longer exists on ${logicalId}.`);
    return { table, item };
  };

  on.get(path, (context) => {
    const { table: logicalId = "StateTable", search = "", page } = readFilters(context, querySchema);
    const table = tableOf(logicalId);
    const found = listItems(table.all(), {
      ...{ logicalId, search, nowMs: platform.clock.now() },
      names: logicalId === "EffectsTable" ? nameEffects(journal.store) : new Map(),
      nameOf: (item) => nameOf(item, table.settings.keys),
    });
    return {
      ...pageOf(found, page, perPage, (item) => item),
      ...{ tables: tables(), table: logicalId },
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
    // A concurrent function finds another version and computes its change again.
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

function nameOf(item: Item, keys: Parameters<typeof keyOf>[0]): string {
  return writeKey(keyOf(keys, item));
}
