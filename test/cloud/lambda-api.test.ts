import { afterEach, beforeEach, expect, it } from "vitest";
import { CodeVersions } from "../../local/cloud/durable/code-versions.ts";
import { DurableStore } from "../../local/cloud/durable/durable-store.ts";
import { startLambdaApi } from "../../local/cloud/lambda/lambda-api.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { Mappings } from "../../local/cloud/mappings.ts";
import { fakeLambda } from "./fake-lambda.ts";

let outcome: Outcome;
let api: LocalServer;
const lambda = fakeLambda(["echo"], () => outcome);
const durable = new DurableStore({ now: Date.now, invoke: async () => outcome });

beforeEach(async () => {
  outcome = { kind: "answered", body: '{"fine":true}' };
  lambda.invocations.length = 0;
  const versions = new CodeVersions("/nowhere");
  api = await startLambdaApi(
    Promise.resolve({ lambda: lambda.service, durable, versions, mappings: new Mappings([]) }),
  );
});
afterEach(() => api.close());

const invoke = (body: string, headers: Record<string, string> = {}, name = "service-echo") =>
  fetch(`${api.url}/2015-03-31/functions/${name}/invocations`, { method: "POST", body, headers });

it("returns the function's answer", async () => {
  const answer = await invoke('{"text":"Zoë"}');

  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-amz-function-error")).toBeNull();
  expect(await answer.json()).toEqual({ fine: true });
  expect(lambda.invocations).toEqual([
    { functionKey: "echo", payload: { text: "Zoë" }, type: "RequestResponse" },
  ]);
});

it("reports in a header that a function failed", async () => {
  outcome = { kind: "failed", body: '{"errorType":"X"}' };

  const answer = await invoke("{}");

  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-amz-function-error")).toBe("Unhandled");
  expect(await answer.json()).toEqual({ errorType: "X" });
});

it("reports that a function is throttled", async () => {
  outcome = { kind: "throttled", body: "{}" };

  const answer = await invoke("{}");

  expect(answer.status).toBe(429);
  expect(answer.headers.get("x-amzn-errortype")).toBe("TooManyRequestsException");
  expect(await answer.json()).toMatchObject({ Reason: "ReservedFunctionConcurrentInvocationLimitExceeded" });
});

it("sets, returns and deletes a function's reserved concurrency", async () => {
  const call = async (version: string, method: string, body?: string) => {
    const path = `/${version}/functions/service-echo/concurrency`;
    const answer = await fetch(`${api.url}${path}`, { method, ...(body && { body }) });
    return [answer.status, await answer.text()];
  };
  const set = '{"ReservedConcurrentExecutions":0}';

  const answers = [
    await call("2017-10-31", "PUT", set),
    await call("2019-09-30", "GET"),
    await call("2017-10-31", "DELETE"),
    await call("2019-09-30", "GET"),
  ];

  expect(answers).toEqual([
    [200, set],
    [200, set],
    [204, ""],
    [200, '{"ReservedConcurrentExecutions":null}'],
  ]);
});

it("answers an asynchronous invocation 202 immediately", async () => {
  const answer = await invoke('{"a":1}', { "x-amz-invocation-type": "Event" });

  expect(answer.status).toBe(202);
  expect(lambda.invocations).toEqual([{ functionKey: "echo", payload: { a: 1 }, type: "Event" }]);
});

it.each([
  ["an unknown function", "{}", {}, "nobody", 404, "ResourceNotFoundException"],
  ["invalid JSON", "{", {}, "service-echo", 400, "InvalidRequestContentException"],
  [
    "more than 6 MB",
    `"${"x".repeat(6 * 1024 * 1024)}"`,
    {},
    "service-echo",
    413,
    "RequestEntityTooLargeException",
  ],
  [
    "more than 1 MB that nobody waits for",
    `"${"x".repeat(1024 * 1024)}"`,
    { "x-amz-invocation-type": "Event" },
    "service-echo",
    413,
    "RequestEntityTooLargeException",
  ],
])("refuses %s", async (_what, body, headers, name, status, type) => {
  const answer = await invoke(body, headers, name);

  expect(answer.status).toBe(status);
  expect(answer.headers.get("x-amzn-errortype")).toBe(type);
  expect(lambda.invocations).toEqual([]);
});
