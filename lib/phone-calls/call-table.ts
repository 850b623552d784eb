import { ConditionalCheckFailedException, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { sha256Hex } from "../digest.ts";
import { joinFields } from "../events/identity.ts";
import { type CallFact, callFactSchema } from "./call-fact.ts";

/** Names a call session, or a phone call that never became one. */
export interface CallId {
  readonly appId: string;
  readonly sessionId: string;
}

/** What there is to tell of a phone call; a meeting's id may recur, so its summaries are told apart by their moment. */
export type Claim = "call_missed" | "call_summary" | `call_summary ${number}`;

/** Remembers what is known of each phone call: one item per fact, so that order and repetition make no difference. */
export interface CallTable {
  /** May be repeated: the same `factKey` writes the same item. */
  put(call: CallId, factKey: string, fact: CallFact): Promise<void>;
  list(call: CallId): Promise<CallFact[]>;
  /**
   * Says who may tell that a call was missed or is summed up: the first that asks, and the same one again.
   * @param holder Equal for every attempt at one delivery.
   */
  claim(call: CallId, what: Claim, holder: string): Promise<boolean>;
}

/** As long as the queues keep an event. */
const rememberedMs = 14 * 24 * 60 * 60_000;
const factPrefix = "fact ";

export function createCallTable(
  client: DynamoDBClient,
  { tableName, now }: { tableName: string; now: () => number },
): CallTable {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  // Ids are the customers' own and of any length; keys of a table are not.
  const callOf = ({ appId, sessionId }: CallId) => sha256Hex(joinFields([appId, sessionId]));
  const expiration = () => Math.ceil((now() + rememberedMs) / 1000);

  return {
    put: async (call, factKey, fact) => {
      const Item = {
        call: callOf(call),
        fact: factPrefix + sha256Hex(factKey),
        expiration: expiration(),
        said: fact,
      };
      await documents.send(new PutCommand({ TableName: tableName, Item }));
    },

    list: async (call) => {
      const pages = paginateQuery(
        { client: documents },
        {
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: "#call = :call AND begins_with(#fact, :prefix)",
          ExpressionAttributeNames: { "#call": "call", "#fact": "fact" },
          ExpressionAttributeValues: { ":call": callOf(call), ":prefix": factPrefix },
        },
      );
      const facts: CallFact[] = [];
      for await (const { Items = [] } of pages) {
        for (const { said } of Items) facts.push(callFactSchema.parse(said));
      }
      return facts;
    },

    claim: async (call, what, holder) => {
      const command = new PutCommand({
        TableName: tableName,
        Item: { call: callOf(call), fact: `claim ${what}`, expiration: expiration(), holder },
        ConditionExpression: "attribute_not_exists(#fact) OR #holder = :holder",
        ExpressionAttributeNames: { "#fact": "fact", "#holder": "holder" },
        ExpressionAttributeValues: { ":holder": holder },
      });
      try {
        await documents.send(command);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}
