import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodeVersions } from "../../local/cloud/durable/code-versions.ts";
import { driveDurableStore, pollingClock } from "../../local/cloud/durable/drive-durable-store.ts";
import type { DurableInvocationInput } from "../../local/cloud/durable/durable-types.ts";
import { startLambdaApi } from "../../local/cloud/lambda/lambda-api.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { Mappings } from "../../local/cloud/mappings.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { fakeLambda } from "./fake-lambda.ts";
import { flows, startMs, storeWith } from "./play-durable.ts";

let api: LocalServer;
let made: ReturnType<typeof storeWith>;
let output: object | ((input: DurableInvocationInput) => object);

const plain = fakeLambda(["flows", "plain"], () => ({ kind: "answered", body: "{}" }));
const durable = { executionTimeoutMs: 30 * 86_400_000, retentionMs: 86_400_000 };
const taskRoot = mkdtempSync(join(tmpdir(), "durable-http-"));
writeFileSync(join(taskRoot, "flows.js"), "// A version has its code.");
afterAll(() => rmSync(taskRoot, { recursive: true }));
const code = { durable, taskRoot, handler: "flows.handler" };
const service = {
  ...plain.service,
  functions: plain.service.functions.map((definition) =>
    definition.key === "plain" ? definition : { ...definition, ...code },
  ),
};

beforeEach(async () => {
  output = { Status: "SUCCEEDED", Result: '{"ok":true}' };
  made = storeWith((input) => (typeof output === "function" ? output(input) : output));
  const versions = new CodeVersions(join(taskRoot, "versions"));
  api = await startLambdaApi(
    Promise.resolve({ lambda: service, durable: made.store, versions, mappings: new Mappings([]) }),
  );
});
afterEach(() => api.close());

const invoke = (name: string, headers: Record<string, string> = {}, body = "{}") =>
  fetch(`${api.url}/2015-03-31/functions/${name}/invocations`, {
    method: "POST",
    body,
    headers: { "x-amz-invocation-type": "Event", ...headers },
  });
const call = (path: string, init: RequestInit = {}) => fetch(`${api.url}/2025-12-01/${path}`, init);
const named = (name: string) => ({ "x-amz-durable-execution-name": name });
const arnOf = (answer: Response) =>
  encodeURIComponent(answer.headers.get("x-amz-durable-execution-arn") ?? "");

describe("Invoke of a durable function", () => {
  it.each([
    ["an alias in the name", "service-flows:durable"],
    ["a version in the name", "service-flows:1"],
    [
      "an alias of the ARN",
      encodeURIComponent("arn:aws:lambda:eu-central-1:000000000000:function:service-flows:durable"),
    ],
  ])("starts an execution by %s", async (_what, name) => {
    const answer = await invoke(name, named("one"));

    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-amz-executed-version")).toBe("1");
    expect(decodeURIComponent(arnOf(answer))).toContain(":function:service-flows:1/durable-execution/one/");
    expect(await answer.text()).toBe("");
  });

  it("takes the qualifier as a parameter, too, and makes up a name", async () => {
    const url = `${api.url}/2015-03-31/functions/service-flows/invocations?Qualifier=durable`;
    const start = () =>
      fetch(url, { method: "POST", body: "{}", headers: { "x-amz-invocation-type": "Event" } });

    const answers = [await start(), await start()];

    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(answers.map(arnOf)).size).toBe(2);
  });

  it.each([
    ["without a qualifier", "service-flows", {}, 400, "InvalidParameterValueException"],
    ["of an alias that is not there", "service-flows:prod", {}, 404, "ResourceNotFoundException"],
    ["of a name with a slash", "service-flows:durable", named("a/b"), 400, "InvalidParameterValueException"],
    [
      "of a name of 65 characters",
      "service-flows:durable",
      named("x".repeat(65)),
      400,
      "InvalidParameterValueException",
    ],
    [
      "by name of a function that is not durable",
      "service-plain",
      named("one"),
      400,
      "InvalidParameterValueException",
    ],
    [
      "of an alias of a function that is not durable",
      "service-plain:durable",
      {},
      404,
      "ResourceNotFoundException",
    ],
    [
      "that somebody waits for",
      "service-flows:durable",
      { "x-amz-invocation-type": "RequestResponse" },
      400,
      "InvalidParameterValueException",
    ],
  ])("%s is refused", async (_what, name, headers, status, type) => {
    const answer = await invoke(name, headers);

    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-amzn-errortype")).toBe(type);
    expect(made.store.nextWakeAt()).toBeUndefined();
  });
});

describe("the durable execution API", () => {
  it("writes dates as seconds since 1970, and to the function as texts", async () => {
    const arn = arnOf(await invoke("service-flows:durable"));
    await made.store.runDue();

    const body = await (await call(`durable-executions/${arn}`)).json();

    expect(body).toMatchObject({
      Status: "SUCCEEDED",
      StartTimestamp: startMs / 1000,
      EndTimestamp: startMs / 1000,
    });
    const [operation] = JSON.parse(JSON.stringify(made.inputs[0]?.InitialExecutionState.Operations));
    expect(operation).toMatchObject({ Type: "EXECUTION", StartTimestamp: "2026-01-01T00:00:00.000Z" });
  });

  it("answers a checkpoint and a state to its invocation alone", async () => {
    const answers: Promise<Response>[] = [];
    output = ({ CheckpointToken, DurableExecutionArn }) => {
      const path = `durable-executions/${encodeURIComponent(DurableExecutionArn)}`;
      const query = new URLSearchParams({ CheckpointToken, MaxItems: "1" });
      const Updates = [{ Id: "w", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 5 } }];
      answers.push(
        call(`${path}/state?${query}`).then(async (state) => {
          const body = JSON.stringify({ CheckpointToken, Updates });
          answers.push(call(`${path}/checkpoint`, { method: "POST", body }));
          return state;
        }),
      );
      return Promise.all(answers)
        .then(() => Promise.all(answers))
        .then(() => ({ Status: "PENDING" }));
    };
    const arn = arnOf(await invoke("service-flows:durable"));
    await made.store.runDue();

    const [state, checkpoint] = await Promise.all(answers);
    const forged = await call(`durable-executions/${arn}/checkpoint`, {
      method: "POST",
      body: '{"CheckpointToken":"mine"}',
    });

    expect(await state?.json()).toMatchObject({ Operations: [{ Type: "EXECUTION" }] });
    expect(await checkpoint?.json()).toMatchObject({
      CheckpointToken: expect.any(String),
      NewExecutionState: {
        Operations: [{ Id: "w", WaitDetails: { ScheduledEndTimestamp: startMs / 1000 + 5 } }],
      },
    });
    expect(forged.status).toBe(400);
    expect(forged.headers.get("x-amzn-errortype")).toBe("InvalidParameterValueException");
    expect(await forged.json()).toMatchObject({ message: "Invalid Checkpoint Token" });
  });

  it("stops an execution", async () => {
    const arn = arnOf(await invoke("service-flows:durable"));

    const stopped = await call(`durable-executions/${arn}/stop`, {
      method: "POST",
      body: '{"ErrorType":"Cancelled"}',
    });

    expect(await stopped.json()).toEqual({ StopTimestamp: startMs / 1000 });
    expect(await (await call(`durable-executions/${arn}`)).json()).toMatchObject({
      Status: "STOPPED",
      Error: { ErrorType: "Cancelled" },
    });
  });

  it("lists a version's executions by a function's name or ARN, and status", async () => {
    await invoke("service-flows:durable", named("one"));
    const arn = encodeURIComponent(flows.arn);
    const list = async (function_: string, query = "") => {
      const body = await (await call(`functions/${function_}/durable-executions${query}`)).text();
      return JSON.parse(body).DurableExecutions.length;
    };
    const versions = await (await fetch(`${api.url}/2015-03-31/functions/service-flows/versions`)).json();

    expect(versions).toMatchObject({ Versions: [{ Version: "$LATEST" }, { Version: "1" }] });
    expect(await list("service-flows", "?Qualifier=1")).toBe(1);
    expect(await list("service-flows")).toBe(0);
    expect(await list("service-flows", "?Qualifier=$LATEST")).toBe(0);
    expect(await list(arn, "?Qualifier=1&Statuses=RUNNING&Statuses=FAILED")).toBe(1);
    expect(await list(arn, "?Qualifier=1&Statuses=FAILED")).toBe(0);
  });

  it.each([
    ["GET", "durable-executions/arn:none", undefined, 404, "ResourceNotFoundException"],
    ["POST", "durable-executions/arn:none/stop", undefined, 404, "ResourceNotFoundException"],
    ["POST", "durable-executions/arn:none/checkpoint", "{", 400, "SerializationException"],
    ["POST", "durable-executions/arn:none/checkpoint", "[]", 400, "InvalidParameterValueException"],
    [
      "POST",
      "durable-execution-callbacks/bm9uZQ%3D%3D/succeed",
      "yes",
      400,
      "InvalidParameterValueException",
    ],
    [
      "GET",
      "functions/service-flows/durable-executions?Statuses=ASLEEP",
      undefined,
      400,
      "InvalidParameterValueException",
    ],
    [
      "GET",
      "functions/service-flows/durable-executions?MaxItems=1001",
      undefined,
      400,
      "InvalidParameterValueException",
    ],
    ["DELETE", "durable-executions/arn:none", undefined, 404, "ResourceNotFoundException"],
  ])("refuses %s %s", async (method, path, body, status, type) => {
    const answer = await call(path, { method, ...(body !== undefined && { body }) });

    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-amzn-errortype")).toBe(type);
  });
});

describe("a store that is driven by a clock", () => {
  const waiting = (input: DurableInvocationInput, WaitSeconds: number) => {
    if (input.InitialExecutionState.Operations.length > 1) return { Status: "SUCCEEDED" };
    const { DurableExecutionArn, CheckpointToken } = input;
    const Updates = [{ Id: "w", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds } }];
    made.store.checkpoint(DurableExecutionArn, { CheckpointToken, Updates });
    return { Status: "PENDING" };
  };

  it("goes on when the clock is moved, and has done so before the clock stands", async () => {
    const clock = createVirtualClock(startMs);
    output = (input) => waiting(input, 86_400);
    made = storeWith((input) => waiting(input, 86_400), { now: clock.now });
    clock.joinBeforeAdvance(() => made.store.runDue());
    const stop = driveDurableStore(made.store, clock);
    const { arn } = made.store.start(flows, { payload: "{}" });

    await clock.advance(86_399_999);
    const before = made.store.get(arn).Status;
    await clock.advance(1);

    expect(before).toBe("RUNNING");
    expect(made.store.get(arn)).toMatchObject({
      Status: "SUCCEEDED",
      EndTimestamp: new Date(startMs + 86_400_000),
    });
    stop();
  });

  it("begins by itself, and notices a clock that only tells the time and was moved", async () => {
    output = (input) => waiting(input, 3600);
    const stop = driveDurableStore(made.store, pollingClock(made.now));
    const { arn } = made.store.start(flows, { payload: "{}" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.inputs).toHaveLength(1);

    made.moveTo(startMs + 3_600_000);

    await expect.poll(() => made.store.get(arn).Status).toBe("SUCCEEDED");
    stop();
  });

  it("does nothing more when it is stopped", async () => {
    const stop = driveDurableStore(made.store, pollingClock(made.now));
    stop();

    made.store.start(flows, { payload: "{}" });
    await new Promise((resolve) => setImmediate(resolve));

    expect(made.inputs).toHaveLength(0);
  });
});
