import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Lambda } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CodeVersions } from "../../local/cloud/durable/code-versions.ts";
import type { FunctionDefinition } from "../../local/cloud/lambda/function-definition.ts";
import { type LambdaBackend, startLambdaApi } from "../../local/cloud/lambda/lambda-api.ts";
import { LambdaService } from "../../local/cloud/lambda/lambda-service.ts";
import { type LocalServer, startLocalServer } from "../../local/cloud/local-server.ts";
import { Mappings } from "../../local/cloud/mappings.ts";
import { clientTo } from "../helpers/client-to.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

const day = 86_400_000;
const hour = 3_600_000;

let effectsServer: LocalServer;
let api: LocalServer;
let lambda: LambdaService;
let client: Lambda;
const effects: string[] = [];
let CallbackId = "";

const made = storeWith(() => ({}), {
  invoke: (_name, input) => lambda.invoke("flows", JSON.stringify(input)),
});

beforeAll(async () => {
  effectsServer = await startLocalServer(async (request, response) => {
    const body = await text(request);
    effects.push(body);
    CallbackId = body.match(/^callback whole (\S+)$/)?.[1] ?? CallbackId;
    response.end();
  });
  const ready = Promise.withResolvers<LambdaBackend>();
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
  ready.resolve({
    lambda,
    durable: made.store,
    versions: new CodeVersions(mkdtempSync(join(tmpdir(), "versions-"))),
    mappings: new Mappings([]),
  });
  client = clientTo(api.url)(Lambda);
});
afterAll(async () => {
  client.destroy();
  await lambda.close();
  await made.store.close();
  await api.close();
  await effectsServer.close();
});
it("runs a flow in processes, and answers AWS's own client about it", async () => {
  const started = await client.invoke({
    FunctionName: `${flows.name}:durable`,
    InvocationType: "Event",
    DurableExecutionName: "whole",
    Payload: JSON.stringify({ effectsUrl: effectsServer.url, name: "whole" }),
  });
  const arn = started.DurableExecutionArn ?? "";
  await made.playUntil(made.now() + hour);
  await client.sendDurableExecutionCallbackSuccess({ CallbackId, Result: Buffer.from("yes ✓") });
  await made.playUntil(made.now() + 2 * day);

  const execution = await client.getDurableExecution({ DurableExecutionArn: arn });
  const history = await client.getDurableExecutionHistory({ DurableExecutionArn: arn, MaxItems: 500 });
  const list = await client.listDurableExecutionsByFunction({
    FunctionName: flows.arn,
    Qualifier: "1",
    ReverseOrder: true,
    Statuses: ["SUCCEEDED"],
  });

  expect(started.StatusCode).toBe(202);
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
  const { Versions } = await client.listVersionsByFunction({ FunctionName: flows.name });
  expect(Versions?.map(({ Version }) => Version)).toEqual(["$LATEST", "1"]);
  expect(list.DurableExecutions).toMatchObject([{ DurableExecutionName: "whole" }]);
  const types = history.Events?.map(({ EventType }) => EventType) ?? [];
  expect(types[0]).toBe("ExecutionStarted");
  expect(types).toContain("CallbackSucceeded");
  expect(types.filter((type) => type === "InvocationCompleted")).toHaveLength(3);
});
