import * as z from "zod/mini";

// What the operations of DynamoDB's JSON protocol take. Items are read by readItem.

const names = { ExpressionAttributeNames: z.optional(z.record(z.string(), z.string())) };
const placeholders = {
  ...names,
  ExpressionAttributeValues: z.optional(z.record(z.string(), z.unknown())),
};
const condition = {
  ...placeholders,
  ConditionExpression: z.optional(z.string()),
  ReturnValuesOnConditionCheckFailure: z.optional(z.enum(["ALL_OLD", "NONE"])),
};
const ofTable = { TableName: z.string() };
const returning = {
  ReturnValues: z.optional(z.enum(["NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"])),
};
const reading = {
  ...names,
  ConsistentRead: z.optional(z.boolean()),
  ProjectionExpression: z.optional(z.string()),
};
const paging = {
  ...ofTable,
  ...placeholders,
  ...{ ConsistentRead: z.optional(z.boolean()), ProjectionExpression: z.optional(z.string()) },
  IndexName: z.optional(z.string()),
  FilterExpression: z.optional(z.string()),
  Limit: z.optional(z.number().check(z.gte(1))),
  ExclusiveStartKey: z.optional(z.unknown()),
  Select: z.optional(z.string()),
};

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));
const indexes = z.optional(z.array(z.object({ IndexName: z.string(), KeySchema: keySchema })));
const timeToLive = z.object({ AttributeName: z.string(), Enabled: z.boolean() });

/** A declared or created table; what is not named here has no meaning locally. */
export const tableSchema = z.object({
  ...ofTable,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: indexes,
  LocalSecondaryIndexes: indexes,
  TimeToLiveSpecification: z.optional(timeToLive),
});

export const inputs = {
  CreateTable: tableSchema,
  DescribeTable: z.object(ofTable),
  DeleteTable: z.object(ofTable),
  ListTables: z.object({}),
  UpdateTimeToLive: z.object({ ...ofTable, TimeToLiveSpecification: timeToLive }),
  DescribeTimeToLive: z.object(ofTable),
  GetItem: z.object({ ...ofTable, ...reading, Key: z.unknown() }),
  PutItem: z.object({ ...ofTable, ...condition, ...returning, Item: z.unknown() }),
  UpdateItem: z.object({
    ...ofTable,
    ...condition,
    ...returning,
    Key: z.unknown(),
    UpdateExpression: z.optional(z.string()),
  }),
  DeleteItem: z.object({ ...ofTable, ...condition, ...returning, Key: z.unknown() }),
  Query: z.object({
    ...paging,
    KeyConditionExpression: z.string(),
    ScanIndexForward: z.optional(z.boolean()),
  }),
  Scan: z.object(paging),
  BatchGetItem: z.object({
    RequestItems: z.record(z.string(), z.object({ ...reading, Keys: z.array(z.unknown()) })),
  }),
  BatchWriteItem: z.object({
    RequestItems: z.record(
      z.string(),
      z.array(
        z.union([
          z.object({ PutRequest: z.object({ Item: z.unknown() }) }),
          z.object({ DeleteRequest: z.object({ Key: z.unknown() }) }),
        ]),
      ),
    ),
  }),
  TransactGetItems: z.object({
    TransactItems: z.array(z.object({ Get: z.object({ ...ofTable, ...reading, Key: z.unknown() }) })),
  }),
  TransactWriteItems: z.object({
    ClientRequestToken: z.optional(z.string()),
    TransactItems: z.array(
      z.object({
        Put: z.optional(z.object({ ...ofTable, ...condition, Item: z.unknown() })),
        Update: z.optional(
          z.object({ ...ofTable, ...condition, Key: z.unknown(), UpdateExpression: z.string() }),
        ),
        Delete: z.optional(z.object({ ...ofTable, ...condition, Key: z.unknown() })),
        ConditionCheck: z.optional(z.object({ ...ofTable, ...condition, Key: z.unknown() })),
      }),
    ),
  }),
};

/** Ways of asking that came before expressions; they are not part of the local world. */
export const legacyParameters = [
  "AttributesToGet",
  "AttributeUpdates",
  "ConditionalOperator",
  "Expected",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
];
