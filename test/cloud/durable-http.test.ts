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
import { fakeLambda } from "./fake-lambda.ts";
import { wait } from "./open-invocation.ts";
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

const invoke = (name: string, headers: Record<string, string> = {}, query = "") =>
  fetch(`${api.url}/2015-03-31/functions/${name}/invocations${query}`, {
    method: "POST",
    body: "{}",
    headers: { "x-amz-invocation-type": "Event", ...headers },
  });
const call = (path: string, init: RequestInit = {}) => fetch(`${api.url}/2025-12-01/${path}`, init);
const named = (name: string) => ({ "x-amz-durable-execution-name": name });
const arnOf = (answer: Response) =>
  encodeURIComponent(answer.headers.get("x-amz-durable-execution-arn") ?? "");
const refusalOf = ({ status, headers }: Response) => `${status} ${headers.get("x-amzn-errortype")}`;
const invalid = "400 InvalidParameterValueException";
const missing = "404 ResourceNotFoundException";

describe("Invoke of a durable function", () => {
  it.each([
    ["an alias in the name", "service-flows:durable", ""],
    ["a version in the name", "service-flows:1", ""],
    ["an alias of the ARN", encodeURIComponent(`${flows.arn}:durable`), ""],
    ["an alias as a parameter", "service-flows", "?Qualifier=durable"],
  ])("starts an execution by %s", async (_what, name, query) => {
    const answer = await invoke(name, named("one"), query);

    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-amz-executed-version")).toBe("1");
    expect(decodeURIComponent(arnOf(answer))).toContain(":function:service-flows:1/durable-execution/one/");
    expect(await answer.text()).toBe("");
  });

  it.each([
    ["without a qualifier", "service-flows", {}, invalid],
    ["of an unknown alias", "service-flows:prod", {}, missing],
    ["of a name with a slash", "service-flows:durable", named("a/b"), invalid],
    ["of a name of 65 characters", "service-flows:durable", named("x".repeat(65)), invalid],
    ["by name of a function that is not durable", "service-plain", named("one"), invalid],
    ["of an alias of a function that is not durable", "service-plain:durable", {}, missing],
    [
      "that somebody waits for",
      "service-flows:durable",
      { "x-amz-invocation-type": "RequestResponse" },
      invalid,
    ],
  ])("is refused: %s", async (_what, name, headers, refusal) => {
    expect(refusalOf(await invoke(name, headers))).toBe(refusal);
    expect(made.store.nextWakeAt()).toBeUndefined();
  });
});

describe("the durable execution API", () => {
  it("answers a checkpoint and a state only to its own invocation", async () => {
    const answers: Promise<Response>[] = [];
    output = ({ CheckpointToken, DurableExecutionArn }) => {
      const path = `durable-executions/${encodeURIComponent(DurableExecutionArn)}`;
      const query = new URLSearchParams({ CheckpointToken, MaxItems: "1" });
      answers.push(
        call(`${path}/state?${query}`).then(async (state) => {
          const body = JSON.stringify({ CheckpointToken, Updates: [wait("w", 5)] });
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
    expect(refusalOf(forged)).toBe(invalid);
    expect(await forged.json()).toMatchObject({ message: "Invalid checkpoint token" });
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

  it.each([
    ["GET", "durable-executions/arn:none", undefined, missing],
    ["POST", "durable-executions/arn:none/stop", undefined, missing],
    ["POST", "durable-executions/arn:none/checkpoint", "{", "400 SerializationException"],
    ["POST", "durable-executions/arn:none/checkpoint", "[]", invalid],
    ["POST", "durable-execution-callbacks/bm9uZQ%3D%3D/succeed", "yes", invalid],
    ["GET", "functions/service-flows/durable-executions?Statuses=ASLEEP", undefined, invalid],
    ["GET", "functions/service-flows/durable-executions?MaxItems=1001", undefined, invalid],
    ["DELETE", "durable-executions/arn:none", undefined, missing],
  ])("refuses %s %s", async (method, path, body, refusal) => {
    expect(refusalOf(await call(path, { method, ...(body !== undefined && { body }) }))).toBe(refusal);
  });
});

describe("a store with a clock that has no timers", () => {
  it("begins executions and notices a moved clock by itself, until it is stopped", async () => {
    output = ({ InitialExecutionState, DurableExecutionArn, CheckpointToken }) => {
      if (InitialExecutionState.Operations.length > 1) return { Status: "SUCCEEDED" };
      made.store.checkpoint(DurableExecutionArn, { CheckpointToken, Updates: [wait("w", 3600)] });
      return { Status: "PENDING" };
    };
    const stop = driveDurableStore(made.store, pollingClock(made.now));
    const { arn } = made.store.start(flows, { payload: "{}" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.inputs).toHaveLength(1);

    made.moveTo(startMs + 3_600_000);
    await expect.poll(() => made.store.get(arn).Status).toBe("SUCCEEDED");

    stop();
    made.store.start(flows, { payload: "{}" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.inputs).toHaveLength(2);
  });
});
