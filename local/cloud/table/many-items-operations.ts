import { canonical, type Item, readItem, sizeOfItem } from "./attribute-value.ts";
import { defineOperation, type TableOperation } from "./define-operation.ts";
import { getItem, readDelete, readPut, readUpdate } from "./item-operations.ts";
import { invalid, TableError } from "./table-error.ts";
import { inputs } from "./table-inputs.ts";
import { type Change, ConditionFailedError, type Table, type Write } from "./table-model.ts";
import type { TableRoom } from "./table-room.ts";

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-api */
const maxBatchGet = 100;
const maxBatchWrite = 25;
const maxTransaction = 100;
const maxBatchGetBytes = 16 * 1024 * 1024;
/** How long a transaction's token counts. @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const tokenMs = 10 * 60_000;

/** Makes the operations on several items: batches, each entry by itself, and transactions, all or nothing. */
export function createManyItemsOperations(room: TableRoom): [string, TableOperation][] {
  const tokens = new Map<string, { request: string; expiresAtMs: number }>();

  return [
    defineOperation("BatchGetItem", inputs.BatchGetItem, ({ RequestItems }) => {
      const wanted = Object.entries(RequestItems).flatMap(([name, { Keys, ...reading }]) =>
        Keys.map((Key) => ({ name, reading, Key })),
      );
      refuseCount(wanted.length, maxBatchGet);
      refuseRepeated(wanted.map(({ name, Key }) => name + canonical({ M: readItem(Key) })));
      const left = wanted.length - Math.min(room.takeUnprocessed(), wanted.length);
      const responses: Record<string, Item[]> = Object.fromEntries(
        Object.keys(RequestItems).map((name) => [name, []]),
      );
      const unprocessed: Record<string, { Keys: unknown[] }> = {};
      let bytes = 0;
      for (const [index, { name, reading, Key }] of wanted.entries()) {
        if (index < left && bytes < maxBatchGetBytes) {
          const item = getItem(room.get(name).table, { ...reading, Key });
          bytes += item ? sizeOfItem(item) : 0;
          if (item) responses[name]?.push(item);
        } else {
          const entry = unprocessed[name] ?? { ...reading, Keys: [] };
          entry.Keys.push(Key);
          unprocessed[name] = entry;
        }
      }
      return { Responses: responses, UnprocessedKeys: unprocessed };
    }),
    defineOperation("BatchWriteItem", inputs.BatchWriteItem, ({ RequestItems }) => {
      const wanted = Object.entries(RequestItems).flatMap(([name, requests]) =>
        requests.map((request) => ({ name, request })),
      );
      refuseCount(wanted.length, maxBatchWrite);
      const planned = wanted.map(({ name, request }) => {
        const { table } = room.get(name);
        const change = table.plan(
          "PutRequest" in request ? readPut(request.PutRequest) : readDelete(request.DeleteRequest),
        );
        return { name, request, table, change };
      });
      refuseRepeated(planned.map(({ name, change }) => name + canonical({ M: change.key })));
      const left = planned.length - Math.min(room.takeUnprocessed(), planned.length);
      for (const { table, change } of planned.slice(0, left)) table.commit(change);
      const unprocessed = Object.groupBy(planned.slice(left), ({ name }) => name);
      return {
        UnprocessedItems: Object.fromEntries(
          Object.entries(unprocessed).map(([name, entries = []]) => [
            name,
            entries.map(({ request }) => request),
          ]),
        ),
      };
    }),
    defineOperation("TransactGetItems", inputs.TransactGetItems, ({ TransactItems }) => {
      refuseCount(TransactItems.length, maxTransaction);
      return {
        Responses: TransactItems.map(({ Get }) => {
          const item = getItem(room.get(Get.TableName).table, Get);
          return item ? { Item: item } : {};
        }),
      };
    }),
    defineOperation(
      "TransactWriteItems",
      inputs.TransactWriteItems,
      ({ TransactItems, ClientRequestToken }) => {
        refuseCount(TransactItems.length, maxTransaction);
        const request = JSON.stringify(TransactItems);
        const known = ClientRequestToken === undefined ? undefined : tokens.get(ClientRequestToken);
        if (known && known.expiresAtMs > room.now()) {
          if (known.request === request) return {};
          throw new TableError(
            "IdempotentParameterMismatchException",
            "The request uses the same client token as a previous, but non-identical request.",
          );
        }
        const writes = TransactItems.map((item) => readTransactItem(room, item));
        const outcomes = writes.map(({ table, write, isOldTold }) => {
          try {
            return { table, change: table.plan(write), reason: { Code: "None" } };
          } catch (error) {
            if (!(error instanceof ConditionFailedError)) throw error;
            const Item = isOldTold && error.old ? { Item: error.old } : {};
            return { table, reason: { Code: "ConditionalCheckFailed", Message: error.message, ...Item } };
          }
        });
        if (outcomes.some(({ change }) => change === undefined)) {
          const reasons = outcomes.map(({ reason }) => reason);
          const codes = reasons.map(({ Code }) => Code).join(", ");
          throw new TableError(
            "TransactionCanceledException",
            `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
            { CancellationReasons: reasons },
          );
        }
        refuseTwice(outcomes);
        for (const { table, change } of outcomes) if (change) table.commit(change);
        if (ClientRequestToken !== undefined) {
          tokens.set(ClientRequestToken, { request, expiresAtMs: room.now() + tokenMs });
        }
        return {};
      },
    ),
  ];
}

type TransactItem = Parameters<typeof readPut>[0] &
  Parameters<typeof readUpdate>[0] & { TableName: string; UpdateExpression?: string | undefined };

function readTransactItem(
  room: TableRoom,
  {
    Put,
    Update,
    Delete,
    ConditionCheck,
  }: Partial<Record<"Put" | "Update" | "Delete" | "ConditionCheck", TransactItem | undefined>>,
): { table: Table; write: Write; isOldTold: boolean } {
  const given = Put ?? Update ?? Delete ?? ConditionCheck;
  if (!given) throw invalid("TransactItems can only contain one of Check, Put, Update or Delete");
  const write = Put
    ? readPut(Put)
    : Update
      ? readUpdate(Update)
      : readDelete(given, Delete ? "delete" : "check");
  const { table } = room.get(given.TableName);
  return { table, write, isOldTold: given.ReturnValuesOnConditionCheckFailure === "ALL_OLD" };
}

function refuseCount(count: number, most: number): void {
  if (count >= 1 && count <= most) return;
  throw invalid(
    `1 validation error detected: Member must have length less than or equal to ${most}, and at least 1`,
  );
}

function refuseRepeated(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw invalid("Provided list of item keys contains duplicates");
}

function refuseTwice(outcomes: readonly { table: Table; change?: Change | undefined }[]): void {
  const seen = new Map<Table, Set<string>>();
  for (const { table, change } of outcomes) {
    const keys = seen.get(table) ?? new Set();
    const key = canonical({ M: change?.key ?? {} });
    if (keys.has(key)) {
      throw invalid("Transaction request cannot include multiple operations on one item");
    }
    seen.set(table, keys.add(key));
  }
}
