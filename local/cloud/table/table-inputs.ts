import * as z from "zod/mini";

// Items are parsed by readItem.

const optionalText = z.optional(z.string());
const names = { ExpressionAttributeNames: z.optional(z.record(z.string(), z.string())) };
const placeholders = {
  ...names,
  ExpressionAttributeValues: z.optional(z.record(z.string(), z.unknown())),
};
const reading = { ...names, ConsistentRead: z.optional(z.boolean()), ProjectionExpression: optionalText };
const writing = {
  TableName: z.string(),
  ...placeholders,
  ConditionExpression: optionalText,
  ReturnValuesOnConditionCheckFailure: z.optional(z.enum(["ALL_OLD", "NONE"])),
  ReturnValues: z.optional(z.enum(["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"])),
};
const paging = {
  TableName: z.string(),
  ...placeholders,
  ...reading,
  IndexName: optionalText,
  FilterExpression: optionalText,
  Limit: z.optional(z.number().check(z.gte(1))),
  ExclusiveStartKey: z.optional(z.unknown()),
  Select: optionalText,
};

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));
const indexes = z.optional(z.array(z.object({ IndexName: z.string(), KeySchema: keySchema })));

/** Other properties have no effect locally. */
export const tableSchema = z.object({
  TableName: z.string(),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: indexes,
  LocalSecondaryIndexes: indexes,
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
});

export type TableDescription = z.infer<typeof tableSchema>;

export const inputs = {
  DescribeTable: z.object({ TableName: z.string() }),
  GetItem: z.object({ TableName: z.string(), ...reading, Key: z.unknown() }),
  PutItem: z.object({ ...writing, Item: z.unknown() }),
  UpdateItem: z.object({ ...writing, Key: z.unknown(), UpdateExpression: optionalText }),
  DeleteItem: z.object({ ...writing, Key: z.unknown() }),
  Query: z.object({
    ...paging,
    KeyConditionExpression: z.string(),
    ScanIndexForward: z.optional(z.boolean()),
  }),
  Scan: z.object(paging),
  BatchGetItem: z.object({
    RequestItems: z.record(z.string(), z.object({ ...reading, Keys: z.array(z.unknown()) })),
  }),
};

/** Replaced by expressions. Refused, because ignoring them would change a call. */
export const legacyParameters = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];
