import { localAccountId } from "../local-aws.ts";
import { createItemOperations } from "./item-operations.ts";
import { createManyItemsOperations } from "./many-items-operations.ts";
import { createPageOperations } from "./page-operations.ts";
import { invalid, TableError } from "./table-error.ts";
import type { KeySchema } from "./table-keys.ts";
import { createTableModel, type TableSettings } from "./table-model.ts";
import { createTableOperations } from "./table-operations.ts";
import type { NamedTable, TableDescription, TableRoom } from "./table-room.ts";
import { openTableStore } from "./table-store.ts";

/** DynamoDB without a network: its tables by name, and its JSON operations as function calls. */
export interface TableService {
  /**
   * Does one operation, e.g. `call("PutItem", {…})`.
   * @throws TableError with DynamoDB's own code
   */
  call(operation: string, input: unknown, caller?: { region?: string | undefined }): object;
  list(): NamedTable[];
  /** Finds a table by its name or ARN. @throws TableError if there is none */
  get(id: string): NamedTable;
  /** Makes a table, or gives the one of this name this description. */
  ensure(description: TableDescription, region: string): NamedTable;
  /** Deletes every item whose time to live is over; DynamoDB itself does so within days. Gives how many there were. */
  sweep(): number;
  /** Makes the next calls fail, by default as throttled ones. */
  refuseNext(count: number, code?: string): void;
  /** Makes the next batch leave this many of its entries undone, for the caller to ask again. */
  leaveUnprocessed(count: number): void;
  /** Ends writing. Later calls fail if there is a folder. */
  close(): void;
}

/** Starts DynamoDB with the tables of `dataFolder`, or empty and in memory. */
export function createTableService({
  now = Date.now,
  dataFolder,
}: {
  now?: () => number;
  dataFolder?: string | undefined;
} = {}): TableService {
  const store = dataFolder === undefined ? undefined : openTableStore(dataFolder);
  const tables = new Map<string, NamedTable>();
  let refusals = { count: 0, code: "" };
  let unprocessed = 0;

  const open = (
    description: TableDescription,
    region: string,
    stored: Parameters<typeof createTableModel>[1] = {},
  ) => {
    const name = description.TableName;
    const arn = `arn:aws:dynamodb:${region}:${localAccountId}:table/${name}`;
    const table = createTableModel(toSettings(description), {
      now,
      ...(store && { journal: store.journalOf(name) }),
      ...stored,
    });
    const named: NamedTable = { name, arn, description, createdAtMs: now(), table };
    tables.set(name, named);
    return named;
  };
  const room: TableRoom = {
    now,
    tables,
    get(id) {
      const found = tables.get(id.slice(id.lastIndexOf("/") + 1));
      if (found) return found;
      throw new TableError("ResourceNotFoundException", "Requested resource not found");
    },
    ensure(description, region) {
      store?.putTable({ region, description });
      const existing = tables.get(description.TableName);
      if (!existing) return open(description, region);
      existing.table.configure(toSettings(description));
      const changed = { ...existing, description };
      tables.set(existing.name, changed);
      return changed;
    },
    remove(name) {
      tables.delete(name);
      store?.removeTable(name);
    },
    takeUnprocessed() {
      const count = unprocessed;
      unprocessed = 0;
      return count;
    },
  };
  for (const { description, region, items } of store?.load() ?? [])
    open(description, region, { stored: items });
  const operations = new Map([
    ...createTableOperations(room),
    ...createItemOperations(room),
    ...createPageOperations(room),
    ...createManyItemsOperations(room),
  ]);

  return {
    call(operation, input, caller = {}) {
      const run = operations.get(operation);
      if (!run) {
        throw new TableError("UnknownOperationException", `${operation} is not part of the local world.`);
      }
      if (refusals.count > 0) {
        refusals.count -= 1;
        throw new TableError(refusals.code, "The local world was told to refuse this call.");
      }
      return run(input, caller.region ?? "us-east-1");
    },
    list: () => [...tables.values()],
    get: room.get,
    ensure: room.ensure,
    sweep: () => [...tables.values()].reduce((sum, { table }) => sum + table.sweep(), 0),
    refuseNext(count, code = "ThrottlingException") {
      refusals = { count, code };
    },
    leaveUnprocessed(count) {
      unprocessed = count;
    },
    close: () => store?.close(),
  };
}

function toSettings(description: TableDescription): TableSettings {
  const typeOf = (name: string) => {
    const definition = description.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name);
    if (definition) return definition.AttributeType;
    throw invalid(
      `One or more parameter values were invalid: Some index key attributes have no type: ${name}`,
    );
  };
  const toKeys = (schema: TableDescription["KeySchema"]): KeySchema => {
    const [hash, range] = (["HASH", "RANGE"] as const).map((type) => {
      const name = schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
      return name === undefined ? undefined : { name, type: typeOf(name) };
    });
    if (!hash) throw invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    return range ? { hash, range } : { hash };
  };
  const {
    GlobalSecondaryIndexes = [],
    LocalSecondaryIndexes = [],
    TimeToLiveSpecification: expiry,
  } = description;
  return {
    keys: toKeys(description.KeySchema),
    indexes: Object.fromEntries(
      [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName, KeySchema }) => [
        IndexName,
        toKeys(KeySchema),
      ]),
    ),
    ...(expiry?.Enabled && { expiryAttribute: expiry.AttributeName }),
  };
}
