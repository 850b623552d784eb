import { CreateTableCommand, DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOccurrenceMemory } from "../../../lib/effects/occurrence-memory.ts";
import { nameFact } from "../../../lib/events/occurrence.ts";
import { startDynamodbEndpoint } from "../../../local/cloud/dynamodb-endpoint.ts";

const joined = { key: `app|group_member_joined|${"x".repeat(3000)}`, canRecur: true };
const receivedAt = 1_795_000_000_000;

async function createTable() {
  const dynamodb = await startDynamodbEndpoint();
  const client = new DynamoDBClient({
    endpoint: dynamodb.url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await client.send(
    new CreateTableCommand({
      TableName: "effects",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    }),
  );
  onTestFinished(async () => {
    client.destroy();
    await dynamodb.close();
  });
  const items = async () => (await client.send(new ScanCommand({ TableName: "effects" }))).Items ?? [];
  return { client, items };
}

describe("createOccurrenceMemory", () => {
  it("keeps the first of two times that are claimed for one name, also when a claim's answer was lost", async () => {
    const { client } = await createTable();
    const memory = createOccurrenceMemory(client, "effects");

    const claims = [await memory.claim("a", 5), await memory.claim("a", 5), await memory.claim("a", 9)];

    expect(claims).toEqual([5, 5, 5]);
    expect(await memory.read(["b", "a"])).toEqual([undefined, 5]);
  });

  it("lets one of several claims at the same time win, and tells all of them which", async () => {
    const { client } = await createTable();
    const memory = createOccurrenceMemory(client, "effects");

    const claims = await Promise.all([1, 2, 3, 4].map((time) => memory.claim("a", time)));

    expect(new Set(claims).size).toBe(1);
  });

  it("tells two real joins five minutes apart from each other, handled in one go hours later", async () => {
    const { client, items } = await createTable();
    const moments = [0, 10_000, 40_000, 300_000, 310_000].map((ms) => receivedAt + ms);

    const names: string[] = [];
    for (const moment of moments) {
      names.push(await nameFact(joined, moment, createOccurrenceMemory(client, "effects")));
    }

    const [first, , , second] = names;
    expect(names).toEqual([first, first, first, second, second]);
    expect(second).not.toBe(first);
    expect(await items()).toHaveLength(2);
  });

  it("remembers for 35 days after the receipt, whenever the handling is", async () => {
    const { client, items } = await createTable();

    await nameFact(joined, receivedAt, createOccurrenceMemory(client, "effects"));

    const [item] = await items();
    expect(item?.expiration?.N).toBe(String((receivedAt + 35 * 24 * 60 * 60_000) / 1000));
  });

  it("throws, and claims nothing, when the table cannot be read", async () => {
    const { client, items } = await createTable();
    const noTable = createOccurrenceMemory(client, "another");

    await expect(nameFact(joined, receivedAt, noTable)).rejects.toThrow();

    expect(await items()).toEqual([]);
  });
});
