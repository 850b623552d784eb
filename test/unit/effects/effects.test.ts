import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { describe, expect, it, onTestFinished } from "vitest";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";
import { marksOf } from "../../../lib/effects/automatic.ts";
import { createEffects } from "../../../lib/effects/effects.ts";
import { createEffectsStore } from "../../../lib/effects/effects-store.ts";
import { startDynamodbEndpoint } from "../../../local/cloud/dynamodb-endpoint.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";

const [app] = defaultSeed.apps;
const greeting = { receiver: "alice", receiverType: "user", text: "hi", onBehalfOf: "support" } as const;

/** A table, a platform, and a client whose requests pass through `through`. */
async function createWorld(through: (request: Request) => Promise<Response> = (request) => fetch(request)) {
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
  const platform = await createPlatform();
  onTestFinished(async () => {
    client.destroy();
    await dynamodb.close();
    await platform.close();
  });
  const chat = composeChatClient(
    {
      appId: app.appId,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
      fetch: (input, init) => through(new Request(input, init)),
    },
    { messages },
  );
  const storeOf = createEffectsStore(client, "effects");
  const effectsOf = ({ key = "event-1 greet", attempt = 1 } = {}) =>
    createEffects({
      store: storeOf({ getRemainingTimeInMillis: () => 30_000 } as Context),
      messages: chat.messages,
      key,
      attempt,
      deadlineMs: Date.now() + 30_000,
    });
  const sent = async () => (await chat.messages.list({ sender: "support", limit: 100 }).page()).items;
  return { chat, effectsOf, sent };
}

describe("effects.sendText", () => {
  it("sends one message, however often the event is handled, and gives its id each time", async () => {
    const { effectsOf, sent } = await createWorld();

    const first = await effectsOf().sendText("greeting", greeting);
    const again = await effectsOf({ attempt: 2 }).sendText("greeting", greeting);

    expect(again).toEqual(first);
    expect(await sent()).toHaveLength(1);
  });

  it("does not send again what an attempt sent that died before it wrote that down", async () => {
    const { chat, effectsOf, sent } = await createWorld();
    const { tags, metadata } = marksOf("event-1 greet greeting");
    const { receiver, receiverType, text, onBehalfOf } = greeting;
    const died = await chat.messages.send(
      { receiver, receiverType, type: "text", data: { text, metadata }, tags },
      { onBehalfOf },
    );

    expect(await effectsOf({ attempt: 2 }).sendText("greeting", greeting)).toEqual({ id: died.id });
    expect(await sent()).toHaveLength(1);
  });

  it("does not send again when the platform's answer got lost on its way", async () => {
    let lost = 0;
    const { effectsOf, sent } = await createWorld(async (request) => {
      const response = await fetch(request);
      if (request.method === "POST" && lost === 0) {
        lost += 1;
        throw new TypeError("fetch failed", {
          cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
        });
      }
      return response;
    });

    await effectsOf().sendText("greeting", greeting);

    expect(lost).toBe(1);
    expect(await sent()).toHaveLength(1);
  });

  it("sends two messages for two names, two triggers or two events", async () => {
    const { effectsOf, sent } = await createWorld();

    await effectsOf().sendText("greeting", greeting);
    await effectsOf().sendText("another", greeting);
    await effectsOf({ key: "event-1 farewell" }).sendText("greeting", greeting);
    await effectsOf({ key: "event-2 greet" }).sendText("greeting", greeting);

    expect(await sent()).toHaveLength(4);
  });

  it("lets only one of two at the same time send", async () => {
    const { effectsOf, sent } = await createWorld();

    const results = await Promise.allSettled([1, 2].map(() => effectsOf().sendText("greeting", greeting)));

    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await sent()).toHaveLength(1);
  });
});

describe("effects.once", () => {
  it("remembers what the work gave, and forgets a failure", async () => {
    const { effectsOf } = await createWorld();
    const work = async () => {
      runs += 1;
      if (runs === 1) throw new Error("first time fails");
      return { runs };
    };
    let runs = 0;

    await expect(effectsOf().once("work", work)).rejects.toThrow("first time fails");

    expect(await effectsOf({ attempt: 2 }).once("work", work)).toEqual({ runs: 2 });
    expect(await effectsOf({ attempt: 3 }).once("work", work)).toEqual({ runs: 2 });
  });
});
