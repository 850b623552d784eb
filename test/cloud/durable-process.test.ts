import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  SendDurableExecutionCallbackFailureCommand,
  SendDurableExecutionCallbackHeartbeatCommand,
  SendDurableExecutionCallbackSuccessCommand,
  StopDurableExecutionCommand,
} from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDurableJournal } from "../../local/cloud/durable/durable-journal.ts";
import type { FunctionDefinition } from "../../local/cloud/lambda/function-definition.ts";
import { type LambdaBackend, startLambdaApi } from "../../local/cloud/lambda/lambda-api.ts";
import { LambdaService } from "../../local/cloud/lambda/lambda-service.ts";
import { type LocalServer, startLocalServer } from "../../local/cloud/local-server.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

const day = 86_400_000;
const hour = 3_600_000;
const dataFolder = mkdtempSync(join(tmpdir(), "executions-"));

let effectsServer: LocalServer;
let api: LocalServer;
let lambda: LambdaService;
let client: LambdaClient;
let backend: LambdaBackend;
const effects: string[] = [];
const callbackIds = new Map<string, string>();

const makeStore = () =>
  storeWith(() => ({}), {
    journal: openDurableJournal(dataFolder),
    invoke: (_name, input) => lambda.invoke("flows", JSON.stringify(input)),
  });
let made: ReturnType<typeof makeStore>;

beforeAll(async () => {
  effectsServer = await startLocalServer(async (request, response) => {
    const body = await text(request);
    effects.push(body);
    const [, name, id] = body.match(/^callback (\S+) (\S+)$/) ?? [];
    if (name !== undefined && id !== undefined) callbackIds.set(name, id);
    response.end();
  });
  made = makeStore();
  const ready = Promise.withResolvers<LambdaBackend>();
  // The store changes at a restart, the address does not.
  const durable: LambdaBackend["durable"] = new Proxy(made.store, {
    get(_target, name) {
      const value = Reflect.get(made.store, name, made.store);
      return typeof value === "function" ? value.bind(made.store) : value;
    },
  });
  api = await startLambdaApi(ready.promise);
  const definition: FunctionDefinition = {
    key: "flows",
    name: flows.name,
    arn: flows.arn,
    handler: "durable.handler",
    taskRoot: join(import.meta.dirname, "fixtures", "lambda"),
    region: "eu-central-1",
    timeoutMs: 20_000,
    memoryMb: 512,
    environment: { AWS_ENDPOINT_URL_LAMBDA: api.url },
    durable: { executionTimeoutMs: flows.executionTimeoutMs, retentionMs: flows.retentionMs },
  };
  lambda = new LambdaService({
    functions: [definition],
    concurrency: 4,
    log: () => {},
    buildFolder: mkdtempSync(join(tmpdir(), "no-build-")),
  });
  backend = { lambda, durable };
  ready.resolve(backend);
  client = new LambdaClient({
    endpoint: api.url,
    region: "eu-central-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client.destroy();
  await lambda.close();
  await made.store.close();
  await api.close();
  await effectsServer.close();
  await rm(dataFolder, { recursive: true });
});
beforeEach(() => {
  effects.length = 0;
});

const start = async (name: string) => {
  const Payload = JSON.stringify({ effectsUrl: effectsServer.url, name });
  const command = { FunctionName: `${flows.name}:durable`, InvocationType: "Event", Payload } as const;
  const answer = await client.send(new InvokeCommand({ ...command, DurableExecutionName: name }));
  return { arn: answer.DurableExecutionArn ?? "", status: answer.StatusCode };
};
const idOf = (name: string) => callbackIds.get(name) ?? "";

it("runs a flow in processes, and tells of it what AWS's own client asks", async () => {
  const { arn, status } = await start("whole");
  await made.playUntil(made.now() + hour);
  const CallbackId = idOf("whole");
  await client.send(new SendDurableExecutionCallbackHeartbeatCommand({ CallbackId }));
  await client.send(
    new SendDurableExecutionCallbackSuccessCommand({ CallbackId, Result: Buffer.from("yes ✓") }),
  );
  await made.playUntil(made.now() + 2 * day);

  const execution = await client.send(new GetDurableExecutionCommand({ DurableExecutionArn: arn }));
  const history = await client.send(
    new GetDurableExecutionHistoryCommand({ DurableExecutionArn: arn, MaxItems: 500 }),
  );
  const list = await client.send(
    new ListDurableExecutionsByFunctionCommand({ FunctionName: flows.name, Statuses: ["SUCCEEDED"] }),
  );

  expect(status).toBe(202);
  expect(arn).toMatch(/:function:service-flows:1\/durable-execution\/whole\/[0-9a-f-]+$/);
  expect(effects.filter((line) => !line.startsWith("callback"))).toEqual([
    "whole: ask",
    "whole: left",
    "whole: right",
  ]);
  expect(execution).toMatchObject({
    Status: "SUCCEEDED",
    Result: '"yes ✓"',
    StartTimestamp: new Date(startMs),
    EndTimestamp: new Date(startMs + hour + day),
  });
  expect(list.DurableExecutions).toMatchObject([{ DurableExecutionName: "whole" }]);
  const types = history.Events?.map(({ EventType }) => EventType) ?? [];
  expect(types[0]).toBe("ExecutionStarted");
  expect(types).toContain("CallbackSucceeded");
  expect(types.filter((type) => type === "InvocationCompleted")).toHaveLength(3);
});

it("starts one execution of a name, and refuses the name with another payload", async () => {
  const first = await start("once");
  const second = await start("once");
  const other = client.send(
    new InvokeCommand({
      FunctionName: `${flows.name}:durable`,
      InvocationType: "Event",
      DurableExecutionName: "once",
      Payload: "{}",
    }),
  );

  expect(second.arn).toBe(first.arn);
  await expect(other).rejects.toMatchObject({
    name: "DurableExecutionAlreadyStartedException",
    $metadata: { httpStatusCode: 409 },
  });
  await client.send(new StopDurableExecutionCommand({ DurableExecutionArn: first.arn }));
});

it("refuses the second answer to a callback, and an answer to none", async () => {
  const { arn } = await start("twice");
  await made.playUntil(made.now() + hour);
  const CallbackId = idOf("twice");
  const fail = () =>
    client.send(new SendDurableExecutionCallbackFailureCommand({ CallbackId, Error: { ErrorType: "No" } }));

  await fail();

  await expect(fail()).rejects.toMatchObject({ name: "CallbackTimeoutException" });
  await expect(
    client.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: "Zm9yZ2Vk" })),
  ).rejects.toMatchObject({ name: "InvalidParameterValueException" });
  await made.store.runDue();
  expect(made.store.get(arn)).toMatchObject({ Status: "FAILED" });
});

it("goes on after a restart with its data", async () => {
  const { arn } = await start("kept");
  await made.playUntil(made.now() + hour);
  const before = made;
  await before.store.close();

  made = makeStore();
  made.moveTo(before.now());
  await client.send(
    new SendDurableExecutionCallbackSuccessCommand({
      CallbackId: idOf("kept"),
      Result: Buffer.from("still here"),
    }),
  );
  await made.playUntil(made.now() + 2 * day);

  expect(made.store.get(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"still here"' });
  expect(effects.filter((line) => line.startsWith("kept"))).toEqual([
    "kept: ask",
    "kept: left",
    "kept: right",
  ]);
});

it("comes to its end wherever its process is killed, before a checkpoint leaves or when it is written", async () => {
  const play = async (name: string, prepare: () => void) => {
    const { arn } = await start(name);
    prepare();
    await made.playUntil(made.now() + hour);
    if (callbackIds.has(name)) {
      await client.send(
        new SendDurableExecutionCallbackSuccessCommand({
          CallbackId: idOf(name),
          Result: Buffer.from("yes"),
        }),
      );
    }
    await made.playUntil(made.now() + 2 * day);
    return made.store.get(arn);
  };
  let kills = 0;
  for (const when of ["before", "after"] as const) {
    for (let nth = 1; nth <= 6; nth += 1) {
      const name = `killed-${when}-${nth}`;
      let hasStruck = false;
      const execution = await play(name, () => {
        void lambda
          .pool("flows")
          .killWhen((payload) => payload.includes(name), { service: "lambda", nth, when })
          .then(() => (hasStruck = true));
      });

      expect(execution, name).toMatchObject({ Status: "SUCCEEDED", Result: '"yes"' });
      expect(new Set(effects.filter((line) => line.startsWith(`${name}:`))), name).toEqual(
        new Set([`${name}: ask`, `${name}: left`, `${name}: right`]),
      );
      if (hasStruck) kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(6);
});
