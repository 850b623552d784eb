import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { createTable } from "../../../lib/aws/create-table.ts";
import type { Table } from "../../../lib/aws/table.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { shadowAttribute, shadowItem } from "../../../lib/effects/shadow/shadow-settings.ts";
import type { FlowTable } from "../../../lib/flows/define-flow.ts";
import { type Aws, tableNames } from "../simulated/aws.ts";
import type { Remembered } from "../story-outcome.ts";

/** Opens a table without using the clock: for the test's own access. */
export function openKitTable(aws: Aws, tableName: string, sortKey?: string): Table {
  const callAws: AwsCaller = async ({ target, input }) => aws.tables.call(target.split(".")[1] ?? "", input);
  return createTable({ callAws, tableName, ...(sortKey !== undefined && { sortKey }) });
}

/** Sets triggers and flows to shadow, as an operator does. */
export function setShadow(aws: Aws, appId: string, triggers: readonly string[], flows: FlowTable): void {
  const attributes = [
    ...triggers.map((name) => shadowAttribute("trigger", name)),
    ...flows.map(({ name }) => shadowAttribute("flow", name)),
  ];
  const set = Object.fromEntries(attributes.map((attribute) => [attribute, { BOOL: true }]));
  const Item = { lane: { S: `app ${appId}` }, item: { S: shadowItem }, ...set };
  aws.tables.call("PutItem", { TableName: tableNames.lanes, Item });
}

export function readRemembered(aws: Aws, nowMs: number): Remembered {
  const { Items = [] }: { Items?: Record<string, Record<string, unknown>>[] } = aws.tables.call("Scan", {
    TableName: tableNames.state,
  });
  const found: Record<string, Record<string, unknown>> = {};
  for (const { state, key, value, until } of Items) {
    if (value === undefined || Number(until?.N) <= nowMs) continue;
    const kind = String(state?.S);
    found[kind] = { ...found[kind], [String(key?.S)]: parseJson(String(value.S)) };
  }
  return found;
}
