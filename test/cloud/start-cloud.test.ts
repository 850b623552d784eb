import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { SecretsManager } from "@aws-sdk/client-secrets-manager";
import { SQS } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { pollingClock } from "../../local/cloud/durable/drive-durable-store.ts";
import type { BatchEvent } from "../../local/cloud/event-source.ts";
import { startFunctionUrls } from "../../local/cloud/gateway/function-url.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { clientTo } from "../helpers/client-to.ts";

let cloud: Cloud;
const lines: string[] = [];
const batches: BatchEvent[] = [];
let elapsedMs = 0;

beforeAll(async () => {
  cloud = await startCloud({
    serviceFolder: `${import.meta.dirname}/fixtures/service`,
    environment: { EXTRA: "from the test", FIXTURE_SHARED: "read by serverless.yml" },
    log: (line) => lines.push(line),
    clock: pollingClock(() => Date.now() + elapsedMs),
    onEvent: (batch) => {
      batches.push(batch);
      if (batch.failures.length > 0) elapsedMs += 180_000; // the queue's visibility timeout
    },
  });
});

afterAll(() => cloud.close());

beforeEach(async () => {
  cloud.resumeConsumers();
  await cloud.reset();
  batches.length = 0;
});

const echoSchema = z.looseObject({ environment: z.record(z.string(), z.string()) });

describe("serverless.yml's functions", () => {
  it("get the addresses of the declared resources and the added environment", async () => {
    const answer = await fetch(`${cloud.httpUrl}/echo/zo%C3%AB`, { method: "POST", body: "{}" });
    const { environment } = echoSchema.parse(await answer.json());

    expect(cloud.outputs).toMatchObject({ StreamedLambdaFunctionUrl: cloud.functionUrls.streamed });
    expect(environment).toEqual({
      SHARED: "read by serverless.yml",
      EXTRA: "from the test",
      EVENTS_QUEUE_URL: cloud.resources.EventsQueue?.url,
      STREAMED_URL: cloud.functionUrls.streamed,
      DESCRIBED: "eu-central-1 fixture-test-Table fixture-events.fifo 000000000000",
      JOINED: `arn:aws:sqs:eu-central-1:000000000000:fixture-events.fifo|${cloud.resources.Secret?.arn}`,
      AWS_ACCESS_KEY_ID: "local-echo",
    });
    expect(lines).toContainEqual(expect.stringMatching(/\tINFO\techo was called$/));
  });

  it("run when invoked by name, as a schedule does", async () => {
    expect(cloud.schedules).toEqual([{ functionKey: "nightly", schedule: "rate(1 day)" }]);

    const { payload, functionError } = await cloud.invoke("nightly", { by: "test" });

    expect(functionError).toBeUndefined();
    expect(payload).toEqual({ ran: true, event: { by: "test" } });
    await expect(cloud.invoke("daily", {})).rejects.toThrow(/echo, consume, nightly/);
  });
});

describe("serverless.yml's resources", () => {
  it("contain secrets with a generated value until a real one is put", async () => {
    const client = clientTo(cloud.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER)(SecretsManager);
    const read = async (SecretId: string) => {
      const { SecretString } = await client.getSecretValue({ SecretId });
      return JSON.parse(SecretString ?? "null");
    };

    expect(await read("fixture/app")).toEqual({
      user: "platform",
      password: expect.stringMatching(/^\w{40}$/),
    });
    await cloud.putSecret("Secret", { user: "real" });
    await cloud.putSecret("fixture/other", { user: "other" });

    expect(await read("fixture/app")).toEqual({ user: "real" });
    expect(await read("fixture/other")).toEqual({ user: "other" });
    client.destroy();
  });
});

describe("the queue's consumer", () => {
  it("gets a message with its attributes, and a failed one again until the dead-letter queue has it", async () => {
    await cloud.pauseConsumers();
    await send("a", "good");
    await send("b", "fail-always");
    cloud.resumeConsumers();

    await cloud.drained();

    expect(await stored()).toEqual({ good: 1 });
    expect(receiveCounts("fail-always")).toEqual([1, 2, 3]);
    const good = batches.flatMap(({ records }) => records).filter(({ body }) => body === "good");
    expect(good).toMatchObject([
      {
        attributes: { ApproximateReceiveCount: "1", MessageGroupId: "a" },
        messageAttributes: { kind: { dataType: "String", stringValue: "test" } },
        eventSourceARN: "arn:aws:sqs:eu-central-1:000000000000:fixture-events.fifo",
      },
    ]);
    expect(cloud.receiveAll("DeadLetterQueue")).toMatchObject([{ body: "fail-always", groupId: "b" }]);
  });

  it("gets a message again whose process was killed, before or after its effect", async () => {
    for (const when of ["before", "after"] as const) {
      const point = { service: "dynamodb", operation: "PutItem", nth: 1, when } as const;
      void cloud.killWhen("consume", () => true, point);
      await send("a", `killed-${when}`);
      await cloud.drained();
    }

    expect(await stored()).toEqual({ "killed-before": 2, "killed-after": 2 });
    expect(receiveCounts("killed-before")).toEqual([1, 2]);
    expect(batches.map(({ error }) => error?.includes("signal: killed") ?? false)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

/** Where the function waits between its two chunks. */
async function openGate() {
  const asked = Promise.withResolvers<void>();
  const pass = Promise.withResolvers<void>();
  const gate = await startLocalServer(async (_request, response) => {
    asked.resolve();
    await pass.promise;
    response.end();
  });
  onTestFinished(() => gate.close());
  return { url: gate.url, asked: asked.promise, pass: pass.resolve };
}

const ask = (body: string, init: RequestInit = {}, key = "streamed") =>
  fetch(`${cloud.functionUrls[key]}some/where`, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain", cookie: "c=3" },
    ...init,
  });

describe("a function's URL", () => {
  it("passes each chunk as it arrives, after the status, headers and cookies that the function chose", async () => {
    const gate = await openGate();

    const { status, headers, body } = await ask(gate.url);
    const texts = body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await texts?.read();
    gate.pass();
    const [second, end] = [await texts?.read(), await texts?.read()];

    expect([status, headers.get("x-path"), headers.getSetCookie()]).toEqual([
      201,
      "/some/where",
      ["a=1", "b=2"],
    ]);
    expect([first?.value, second?.value, end?.done]).toEqual(["one c=3\n", "two\n", true]);
  });

  it("keeps its port, and uses another one while that is in use", async () => {
    const definition = { functions: { streamed: { url: true } } } as never;
    const never = new Promise<never>(() => {});
    const start = async (ports?: Readonly<Record<string, number>>) => {
      const server = (await startFunctionUrls(definition, never, Date.now, ports)).get("streamed");
      onTestFinished(() => server?.close());
      return { close: async () => server?.close(), port: Number(new URL(server?.url ?? "").port) };
    };
    const first = await start();
    const besides = await start({ streamed: first.port });
    await first.close();

    expect(besides.port).not.toBe(first.port);
    expect((await start({ streamed: first.port, gone: 1 })).port).toBe(first.port);
  });

  it("returns 502 for a function that fails before its first chunk", async () => {
    expect((await ask("fail first")).status).toBe(502);
  });

  it.each(["fail later", "hang"])(
    "cuts the answer of a function that does this after a chunk: %s",
    async (what) => {
      const answer = await ask(what, {}, "brief");

      expect(answer.status).toBe(201);
      await expect(answer.text()).rejects.toThrow("terminated");
    },
  );

  it("lets a function complete whose caller has disconnected", async () => {
    const gate = await openGate();
    const caller = new AbortController();

    const { status } = await ask(gate.url, { signal: caller.signal });
    caller.abort();
    await gate.asked;
    gate.pass();

    expect(status).toBe(201);
    expect((await ask("fail first")).status).toBe(502);
  });

  it("refuses more than Lambda's 6 MB before the function runs", async () => {
    expect((await ask("x".repeat(6 * 1024 * 1024))).status).toBe(413);
  });
});

async function send(MessageGroupId: string, body: string): Promise<void> {
  const client = clientTo(cloud.endpoints.AWS_ENDPOINT_URL_SQS)(SQS);
  const message = {
    QueueUrl: cloud.resources.EventsQueue?.url,
    MessageBody: body,
    MessageGroupId,
    MessageDeduplicationId: body,
    MessageAttributes: { kind: { DataType: "String", StringValue: "test" } },
  };
  await client.sendMessage(message).finally(() => client.destroy());
}

/** What the consumer wrote: message body → receive count. */
async function stored(): Promise<Record<string, number>> {
  const client = clientTo(cloud.endpoints.AWS_ENDPOINT_URL_DYNAMODB, 3)(DynamoDB);
  const { Items = [] } = await client.scan({ TableName: cloud.resources.Table?.name });
  client.destroy();
  return Object.fromEntries(Items.map(({ id, receiveCount }) => [id?.S, Number(receiveCount?.N)]));
}

function receiveCounts(body: string): number[] {
  return batches.flatMap(({ records }) =>
    records
      .filter((record) => record.body === body)
      .map(({ attributes }) => Number(attributes.ApproximateReceiveCount)),
  );
}
