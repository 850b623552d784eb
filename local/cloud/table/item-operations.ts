import type * as z from "zod/mini";
import { type Item, readItem } from "./attribute-value.ts";
import { parseCondition, parseProjection } from "./condition-parser.ts";
import { defineOperation, type TableOperation } from "./define-operation.ts";
import { project } from "./path.ts";
import { withPlaceholders } from "./read-placeholders.ts";
import { invalid, TableError } from "./table-error.ts";
import { inputs } from "./table-inputs.ts";
import { type Change, ConditionFailedError, type Table, type Write } from "./table-model.ts";
import type { TableRoom } from "./table-room.ts";
import { parseUpdate } from "./update-parser.ts";

/** Makes the operations on one item. */
export function createItemOperations(room: TableRoom): [string, TableOperation][] {
  return [
    defineOperation("GetItem", inputs.GetItem, (input) => {
      const item = getItem(room.get(input.TableName).table, input);
      return item ? { Item: item } : {};
    }),
    defineOperation("PutItem", inputs.PutItem, (input) => {
      refuseReturning(input.ReturnValues, ["NONE", "ALL_OLD"]);
      const { old } = write(room, input, readPut(input));
      return input.ReturnValues === "ALL_OLD" && old ? { Attributes: old } : {};
    }),
    defineOperation("DeleteItem", inputs.DeleteItem, (input) => {
      refuseReturning(input.ReturnValues, ["NONE", "ALL_OLD"]);
      const { old } = write(room, input, readDelete(input));
      return input.ReturnValues === "ALL_OLD" && old ? { Attributes: old } : {};
    }),
    defineOperation("UpdateItem", inputs.UpdateItem, (input) => {
      const update = readUpdate(input);
      const { old = {}, next = {} } = write(room, input, update);
      const paths = update.actions.map(({ path }) => path);
      switch (input.ReturnValues) {
        case "ALL_OLD":
          return answerWith(old);
        case "ALL_NEW":
          return answerWith(next);
        case "UPDATED_OLD":
          return answerWith(project(old, paths));
        case "UPDATED_NEW":
          return answerWith(project(next, paths));
        default:
          return {};
      }
    }),
  ];
}

type ConditionInput = Pick<
  z.infer<typeof inputs.DeleteItem>,
  | "ConditionExpression"
  | "ExpressionAttributeNames"
  | "ExpressionAttributeValues"
  | "ReturnValuesOnConditionCheckFailure"
>;

/** Reads one item, or what a projection leaves of it. */
export function getItem(
  table: Table,
  input: Pick<z.infer<typeof inputs.GetItem>, "Key" | "ProjectionExpression" | "ExpressionAttributeNames">,
): Item | undefined {
  const { ProjectionExpression: projection } = input;
  const paths = withPlaceholders(input, (placeholders) =>
    projection === undefined ? undefined : parseProjection(projection, placeholders),
  );
  const item = table.get(readItem(input.Key));
  return item && paths ? project(item, paths) : item;
}

/** Reads what PutItem and a transaction's Put ask for. */
export function readPut(input: ConditionInput & { Item?: unknown }): Write {
  return { kind: "put", item: readItem(input.Item), condition: readCondition(input) };
}

/** Reads what DeleteItem and a transaction's Delete or ConditionCheck ask for. */
export function readDelete(
  input: ConditionInput & { Key?: unknown },
  kind: "delete" | "check" = "delete",
): Write {
  return { kind, key: readItem(input.Key), condition: readCondition(input) };
}

/** Reads what UpdateItem and a transaction's Update ask for. */
export function readUpdate(
  input: ConditionInput & { Key?: unknown; UpdateExpression?: string | undefined },
): Extract<Write, { kind: "update" }> {
  const { UpdateExpression: update, ConditionExpression: condition } = input;
  const parts = withPlaceholders(input, (placeholders) => ({
    actions: update === undefined ? [] : parseUpdate(update, placeholders),
    condition:
      condition === undefined ? undefined : parseCondition(condition, "ConditionExpression", placeholders),
  }));
  return { kind: "update", key: readItem(input.Key), ...parts };
}

function readCondition(input: ConditionInput) {
  const { ConditionExpression: condition } = input;
  return withPlaceholders(input, (placeholders) =>
    condition === undefined ? undefined : parseCondition(condition, "ConditionExpression", placeholders),
  );
}

function write(room: TableRoom, input: ConditionInput & { TableName: string }, wanted: Write): Change {
  const { table } = room.get(input.TableName);
  try {
    const change = table.plan(wanted);
    table.commit(change);
    return change;
  } catch (error) {
    const isTold = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    if (!(error instanceof ConditionFailedError) || !isTold || !error.old) throw error;
    throw new TableError(error.code, error.message, { Item: error.old });
  }
}

function refuseReturning(value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw invalid("Return values set to invalid value");
}

function answerWith(attributes: Item): object {
  return Object.keys(attributes).length > 0 ? { Attributes: attributes } : {};
}
