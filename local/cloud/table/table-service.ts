import * as z from "zod/mini";
import { AwsError } from "../aws-error.ts";
import { type AwsOperation, findOperation } from "../aws-operation.ts";
import { CollectionStore } from "../collection-store.ts";
import { localAccountId } from "../local-aws.ts";
import { type Item, readItem } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";
import { Table, type TableSettings } from "./table.ts";
import type { KeySchema } from "./table-keys.ts";
import { createTableOperations, defineTableOperation, ofTable } from "./table-operations.ts";

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));
const indexes = z.optional(z.array(z.object({ IndexName: z.string(), KeySchema: keySchema })));

/** Other properties have no effect locally. */
export const tableSchema = z.object({
  ...ofTable,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: indexes,
  LocalSecondaryIndexes: indexes,
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
});

export type TableDescription = z.infer<typeof tableSchema>;

interface NamedTable {
  readonly name: string;
  readonly arn: string;
  readonly description: TableDescription;
  readonly createdAtMs: number;
  readonly table: Table;
}

const storedSchema = z.object({ region: z.string(), description: tableSchema });

export class TableService {
  readonly #now: () => number;
  readonly #store: CollectionStore | undefined;
  readonly #tables = new Map<string, NamedTable>();
  readonly #operations: ReadonlyMap<string, AwsOperation>;

  constructor({ now = Date.now, dataFolder }: { now?: () => number; dataFolder?: string | undefined } = {}) {
    this.#now = now;
    this.#store = dataFolder === undefined ? undefined : new CollectionStore(dataFolder, "tables");
    for (const { description: stored, records } of this.#store?.load() ?? []) {
      const { region, description } = storedSchema.parse(stored);
      this.#open(description, region, records.map(readItem));
    }
    this.#operations = new Map([
      defineTableOperation("CreateTable", tableSchema, (description, { region }) => {
        if (this.#tables.has(description.TableName)) {
          throw new AwsError("ResourceInUseException", `Table already exists: ${description.TableName}`);
        }
        return { TableDescription: describe(this.ensure(description, region)) };
      }),
      defineTableOperation("DescribeTable", z.object(ofTable), ({ TableName }) => ({
        Table: describe(this.get(TableName)),
      })),
      ...createTableOperations((name) => this.get(name).table),
    ]);
  }

  call(operation: string, input: unknown, { region = "us-east-1" } = {}): object {
    return findOperation(this.#operations, operation)(input, { region });
  }

  list(): NamedTable[] {
    return [...this.#tables.values()];
  }

  /** Finds a table by name or ARN. @throws AwsError if it does not exist */
  get(id: string): NamedTable {
    const found = this.#tables.get(id.slice(id.lastIndexOf("/") + 1));
    if (found) return found;
    throw new AwsError("ResourceNotFoundException", "Requested resource not found");
  }

  ensure(description: TableDescription, region: string): NamedTable {
    const { TableName: name } = description;
    this.#store?.put(name, { region, description });
    const existing = this.#tables.get(name);
    if (!existing) return this.#open(description, region);
    existing.table.settings = toSettings(description);
    const changed = { ...existing, description };
    this.#tables.set(name, changed);
    return changed;
  }

  /** Deletes expired items; DynamoDB does so within days. */
  sweep(): void {
    for (const { table } of this.#tables.values()) table.sweep();
  }

  close(): void {
    this.#store?.close();
  }

  #open(description: TableDescription, region: string, items: readonly Item[] = []): NamedTable {
    const name = description.TableName;
    const surroundings = { now: this.#now, journal: this.#store?.journalOf(name) };
    const named = {
      name,
      arn: `arn:aws:dynamodb:${region}:${localAccountId}:table/${name}`,
      description,
      createdAtMs: this.#now(),
      table: new Table(toSettings(description), surroundings, items),
    };
    this.#tables.set(name, named);
    return named;
  }
}

function describe({ arn, description, createdAtMs, table }: NamedTable): object {
  const { TimeToLiveSpecification: _expiry, ...declared } = description;
  return {
    ...declared,
    TableArn: arn,
    TableStatus: "ACTIVE",
    CreationDateTime: createdAtMs / 1000,
    ItemCount: table.all().length,
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
  };
}

function toSettings(description: TableDescription): TableSettings {
  const { AttributeDefinitions, KeySchema, TimeToLiveSpecification: expiry } = description;
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = description;
  const toKeys = (schema: TableDescription["KeySchema"]): KeySchema => {
    const attributeOf = (type: "HASH" | "RANGE") => {
      const name = schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
      const defined = AttributeDefinitions.find(({ AttributeName }) => AttributeName === name);
      if (name === undefined) return undefined;
      if (defined) return { name, type: defined.AttributeType };
      throw invalid(
        `One or more parameter values were invalid: Some index key attributes have no type: ${name}`,
      );
    };
    const hash = attributeOf("HASH");
    if (hash) return { hash, range: attributeOf("RANGE") };
    throw invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  };
  return {
    keys: toKeys(KeySchema),
    indexes: Object.fromEntries(
      [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map((one) => [
        one.IndexName,
        toKeys(one.KeySchema),
      ]),
    ),
    expiryAttribute: expiry?.Enabled ? expiry.AttributeName : undefined,
  };
}
