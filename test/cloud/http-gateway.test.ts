import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHttpGateway } from "../../local/cloud/gateway/http-gateway.ts";
import { findRoute, writeRouteKey } from "../../local/cloud/gateway/route-table.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { fakeLambda } from "./fake-lambda.ts";

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
let outcome: Outcome;
let gateway: LocalServer;
const lambda = fakeLambda(["webhook"], () => outcome);
const routes = [
  { key: "POST /webhooks/{appId}", functionKey: "webhook" },
  { key: "GET /plain", functionKey: "webhook" },
];

beforeEach(async () => {
  outcome = { kind: "answered", body: '{"statusCode":200,"body":"fine"}' };
  lambda.invocations.length = 0;
  gateway = await startHttpGateway({ lambda: lambda.service, routes });
});
afterEach(() => gateway.close());

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = "/webhooks/app",
) => fetch(gateway.url + path, { method: "POST", body, headers });
const event = () => lambda.invocations[0]?.payload;

describe("what the function gets", () => {
  it("is payload format 2.0, its path decoded", async () => {
    await post(
      "{}",
      { "content-type": "application/json", "user-agent": "tester" },
      "/webhooks/zo%C3%AB?a=1&b=x%20y&a=2",
    );

    expect(event()).toMatchObject({
      version: "2.0",
      routeKey: "POST /webhooks/{appId}",
      rawPath: "/webhooks/zoë",
      rawQueryString: "a=1&b=x%20y&a=2",
      queryStringParameters: { a: "1,2", b: "x y" },
      pathParameters: { appId: "zoë" },
      requestContext: {
        http: { method: "POST", path: "/webhooks/zoë", userAgent: "tester", sourceIp: "127.0.0.1" },
        stage: "$default",
        routeKey: "POST /webhooks/{appId}",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      },
    });
  });

  it("has the given time, a later one for each request", async () => {
    const atMs = Date.UTC(2031, 0, 1);
    let nowMs = atMs;
    const later = await startHttpGateway({ lambda: lambda.service, routes }, { now: () => nowMs });
    const ask = () => fetch(`${later.url}/plain`);
    await ask();
    await ask();
    nowMs += 1;
    await ask();
    nowMs -= 86_400_000;
    await ask();
    await later.close();

    expect(event()).toMatchObject({
      requestContext: { time: "01/Jan/2031:00:00:00 +0000", timeEpoch: atMs },
    });
    const times = [0, 1, 2, 1 - 86_400_000].map((ms) => ({ timeEpoch: atMs + ms }));
    const payloads = times.map((requestContext) => ({ payload: { requestContext } }));
    expect(lambda.invocations).toMatchObject(payloads);
  });
});

describe("what the client gets", () => {
  const answerOf = async (returned: unknown) => {
    outcome = { kind: "answered", body: JSON.stringify(returned) };
    return await post("{}");
  };

  it("is bytes when the body is base64", async () => {
    const answer = await answerOf({ statusCode: 200, isBase64Encoded: true, body: "//4A" });

    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(Uint8Array.from([255, 254, 0]));
  });

  it.each([
    ["an object without a status", { message: "hi" }, '{"message":"hi"}'],
    ["a text", "Hello from Lambda!", "Hello from Lambda!"],
    ["a list", [1, 2], "[1,2]"],
    ["nothing", null, "null"],
  ])("is a 200 of JSON when the function gives %s", async (_what, returned, text) => {
    const answer = await answerOf(returned);

    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.text()).toBe(text);
  });

  it.each([
    ["threw", { kind: "failed", body: "{}" }, 500, "Internal Server Error"],
    ["ended", { kind: "exited", body: "{}" }, 500, "Internal Server Error"],
    ["was throttled", { kind: "throttled", body: "{}" }, 503, "Service Unavailable"],
    ["timed out", { kind: "timedOut", body: "{}" }, 503, "Service Unavailable"],
  ] as const)("is the gateway's own answer when the function %s", async (_what, given, status, message) => {
    outcome = given;

    const answer = await post("{}");

    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ message });
  });

  it("is 503 when the gateway's own patience is over", async () => {
    const never = fakeLambda(["webhook"], () => new Promise<Outcome>(() => {}));
    const impatient = await startHttpGateway({ lambda: never.service, routes }, { timeoutMs: 1 });

    const answer = await fetch(`${impatient.url}/plain`);

    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ message: "Service Unavailable" });
    await impatient.close();
  });

  it.each([
    ["an unknown path", "POST", "/nowhere"],
    ["an unknown method", "GET", "/webhooks/app"],
    ["a path without its name", "POST", "/webhooks/"],
    ["a longer path", "POST", "/webhooks/app/more"],
  ])("is 404 for %s", async (_what, method, path) => {
    const answer = await fetch(gateway.url + path, { method });

    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: "Not Found" });
    expect(lambda.invocations).toEqual([]);
  });

  it("is 413 for a body of more than what Lambda takes", async () => {
    const answer = await post("x".repeat(6 * 1024 * 1024), { "content-type": "text/plain" });

    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ message: "Request Entity Too Large" });
    expect(lambda.invocations).toEqual([]);
  });
});

describe("findRoute", () => {
  const table = ["ANY /a/{rest+}", "GET /a/{name}", "GET /a/b", "ANY /a/b", "$default"].map((key) => ({
    key,
    functionKey: key,
  }));

  it.each([
    ["GET", "/a/b", "GET /a/b"],
    ["POST", "/a/b", "ANY /a/b"],
    ["GET", "/a/c", "GET /a/{name}"],
    ["POST", "/a/c", "ANY /a/{rest+}"],
    ["GET", "/a/b/c", "ANY /a/{rest+}"],
    ["GET", "/x", "$default"],
  ])("takes the narrowest route for %s %s", (method, path, key) => {
    expect(findRoute(table, method, path)?.key).toBe(key);
  });

  it("gives the rest of a path undivided", () => {
    expect(findRoute(table, "POST", "/a/b/c d")?.pathParameters).toEqual({ rest: "b/c d" });
  });
});

it.each([
  ["post /a", "POST /a"],
  ["* /a", "ANY /a"],
  ["*", "$default"],
  [{ method: "get", path: "/a" }, "GET /a"],
])("writeRouteKey reads %j as serverless.yml means it", (declared, key) => {
  expect(writeRouteKey(declared)).toBe(key);
});
