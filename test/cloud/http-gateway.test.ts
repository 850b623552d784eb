import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHttpGateway } from "../../local/cloud/gateway/http-gateway.ts";
import { findRoute, writeRouteKey } from "../../local/cloud/gateway/route-table.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { fakeLambda } from "./fake-lambda.ts";
import { rawHead, sendRaw } from "./send-raw.ts";

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
let outcome: Outcome;
let gateway: LocalServer;
const lambda = fakeLambda(["own"], () => outcome);
const keys = ["ANY /a/{name}", "GET /only-get", "$default"];
const routes = keys.map((key) => ({ key, functionKey: "own" }));

beforeAll(async () => {
  gateway = await startHttpGateway({ lambda: lambda.service, routes });
});
afterAll(() => gateway.close());
beforeEach(() => {
  give({ statusCode: 200, body: "fine" });
  lambda.invocations.length = 0;
});

const give = (returned: unknown) => {
  outcome = { kind: "answered", body: JSON.stringify(returned) };
};
const event = () => lambda.invocations[0]?.payload as Record<string, unknown> | undefined;
const send = (line: string, headers: readonly string[] = [], body: string | Uint8Array = "") =>
  sendRaw(gateway.url, [rawHead(line, headers), body]);
const bodyHeaders = (body: string | Uint8Array) => [`Content-Length: ${Buffer.byteLength(body)}`];

describe("the event", () => {
  it("has payload format 2.0", async () => {
    await send("POST /a/b", ["User-Agent: tester"]);

    expect(event()).toMatchObject({
      version: "2.0",
      requestContext: {
        http: { method: "POST", userAgent: "tester" },
        stage: "$default",
        routeKey: "ANY /a/{name}",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      },
    });
  });

  it("has the time of its request, later for each request", async () => {
    const atMs = Date.UTC(2031, 0, 1);
    let nowMs = atMs;
    const later = await startHttpGateway({ lambda: lambda.service, routes }, { now: () => nowMs });
    for (const passedMs of [0, 0, 1, -86_400_000]) {
      nowMs += passedMs;
      await fetch(`${later.url}/only-get`);
    }
    await later.close();

    expect(event()).toMatchObject({ requestContext: { time: "01/Jan/2031:00:00:00 +0000" } });
    const times = [0, 1, 2, 1 - 86_400_000].map((ms) => ({ timeEpoch: atMs + ms }));
    const payloads = times.map((requestContext) => ({ payload: { requestContext } }));
    expect(lambda.invocations).toMatchObject(payloads);
  });
});

describe("the path", () => {
  it.each([
    ["/capture/space%20value", "/capture/space value"],
    ["/capture/question%3Fvalue", "/capture/question"],
    ["/capture/hash%23value", "/capture/hash#value"],
    ["/capture/slash%2Fvalue", "/capture/slash/value"],
    ["/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C", "/capture/unicode-λ-世界"],
    ["/capture/literal%252Fvalue", "/capture/literal/value"],
    ["/capture/literal%253Fvalue", "/capture/literal?value"],
    ["/capture/literal%2525value", "/capture/literal%value"],
    ["/capture/plus+value", "/capture/plus+value"],
    ["/", "/"],
  ])("%s is decoded as captured on the live service", async (sent, path) => {
    await send(`GET ${sent}?q=a%3Fb`);

    expect(event()).toMatchObject({
      rawPath: path,
      rawQueryString: "q=a%3Fb",
      requestContext: { http: { path } },
    });
  });

  it.each(["/capture/percent%25done", "/a/%ff"])("%s is refused", async (sent) => {
    const answer = await send(`GET ${sent}`);

    expect(answer).toMatchObject({ status: 400, body: '{"message":"Bad Request"}' });
    expect(lambda.invocations).toEqual([]);
  });

  it.each([
    ["/a/b", "ANY /a/{name}", { name: "b" }],
    ["/a/b%20c", "ANY /a/{name}", { name: "b c" }],
    ["/a/b%252Bc", "ANY /a/{name}", { name: "b+c" }],
    ["/a/b/", "$default", undefined],
    ["/a/b%2Fc", "$default", undefined],
    ["/a/", "$default", undefined],
  ])("%s has the route %s", async (sent, routeKey, pathParameters) => {
    await send(`GET ${sent}`);

    expect(event()?.routeKey).toBe(routeKey);
    expect(event()?.pathParameters).toEqual(pathParameters);
  });
});

describe("the query", () => {
  it.each([
    ["repeat=one&repeat=two", { repeat: "one,two" }],
    ["literal=a+b&encoded=a%2Bb&empty=", { literal: "a b", encoded: "a+b", empty: "" }],
    ["bare", { bare: "" }],
    ["a=1&a=&a=2", { a: "1,,2" }],
    ["list=a,b&list=c", { list: "a,b,c" }],
    ["url=https%3A%2F%2Fexample.com%2Fa%3Fb", { url: "https://example.com/a?b" }],
    ["double=%2525", { double: "%25" }],
    ["a=1?2", { a: "1?2" }],
    ["__proto__=1&constructor=2", JSON.parse('{"__proto__":"1","constructor":"2"}')],
    ["n%C3%A4me=1", { näme: "1" }],
  ])("%s is decoded, and also passed raw", async (sent, query) => {
    await send(`GET /only-get?${sent}`);

    expect(event()?.queryStringParameters).toEqual(query);
    expect(event()?.rawQueryString).toBe(sent);
  });

  it.each(["/only-get", "/only-get?"])("is left out for %s", async (url) => {
    await send(`GET ${url}`);

    expect(event()).toMatchObject({ rawQueryString: "" });
    expect(event()).not.toHaveProperty("queryStringParameters");
  });
});

describe("the headers", () => {
  it("are in lower case and joined, without connection headers and cookies, with the client's address", async () => {
    await send("GET /only-get", [
      ...["X-Twice: 1", "x-twice: 2", "__proto__: x", "Keep-Alive: timeout=5", "TE: trailers", "X-Empty:"],
      ...["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: gopher"],
      ...["Cookie: a=1; b=2;", 'Cookie: c="3, 4"'],
    ]);

    const headers = event()?.headers as object;
    expect(headers).toMatchObject({
      "x-twice": "1,2",
      host: "127.0.0.1",
      "x-empty": "",
      "x-forwarded-for": "203.0.113.9,127.0.0.1",
      "x-forwarded-proto": "https",
      "x-forwarded-port": "443",
      "x-amzn-trace-id": expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    });
    expect(Object.entries(headers)).toContainEqual(["__proto__", "x"]);
    for (const name of ["connection", "keep-alive", "te", "cookie"]) expect(headers).not.toHaveProperty(name);
    expect(event()).toMatchObject({
      cookies: ["a=1", "b=2", 'c="3, 4"'],
      requestContext: { http: { sourceIp: "127.0.0.1" } },
    });
  });

  it("are refused with the request line beyond 10,240 bytes", async () => {
    const line = "GET /only-get";
    const others = `${line} HTTP/1.1`.length + "127.0.0.1".length + "close".length;
    const fits = await send(line, [`X-Long: ${"x".repeat(10_240 - others)}`]);
    const tooLong = await send(line, [`X-Long: ${"x".repeat(10_241 - others)}`]);

    expect(fits.status).toBe(200);
    expect(tooLong).toMatchObject({ status: 431, body: '{"message":"Request Header Fields Too Large"}' });
    expect(lambda.invocations).toHaveLength(1);
  });
});

describe("the body", () => {
  const bytes = Uint8Array.from([0, 255, 195, 40, 10]);

  it.each([
    ["text/plain; charset=utf-8", false],
    ["application/json", false],
    ["Application/JSON ; charset=utf-8", false],
    ["application/javascript", false],
    ["application/vnd.api+json", true],
    ["application/jsonp", true],
    ["application/x-www-form-urlencoded", true],
    [undefined, true],
    ["application/json\r\nContent-Encoding: gzip", true],
    ["application/json\r\nContent-Encoding: identity", false],
  ])("of type %j: base64 is %s", async (type, isBase64Encoded) => {
    const typed = type === undefined ? [] : [`Content-Type: ${type}`];
    await send("POST /a/b", [...typed, ...bodyHeaders("é")], "é");

    expect(event()).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? "w6k=" : "é" });
  });

  it("keeps every byte as base64", async () => {
    await send("POST /a/b", bodyHeaders(bytes), bytes);

    expect(event()).toMatchObject({ body: Buffer.from(bytes).toString("base64"), isBase64Encoded: true });
  });

  it("is reassembled from chunks, with its length", async () => {
    const chunks = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    await send("POST /a/b", ["Content-Type: text/plain", "Transfer-Encoding: chunked"], chunks);

    expect(event()).toMatchObject({ body: "abcde", headers: { "content-length": "5" } });
    expect(event()?.headers).not.toHaveProperty("transfer-encoding");
  });

  it("is absent if it is empty, whatever its type", async () => {
    await send("POST /a/b", ["Content-Type: image/png", "Content-Length: 0"]);

    expect(event()).toMatchObject({ isBase64Encoded: false });
    expect(event()).not.toHaveProperty("body");
  });

  it("of more than 10 MB is refused before it is sent, if its length is declared", async () => {
    const tooLong = await send("POST /a/b", [`Content-Length: ${10 * 1024 * 1024 + 1}`]);

    expect(tooLong).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
  });

  it("of more than 10 MB in chunks is refused as soon as they have arrived", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const framed = Buffer.concat([Buffer.from("100000\r\n"), chunk, Buffer.from("\r\n")]);
    const head = rawHead("POST /a/b", ["Transfer-Encoding: chunked"]);

    const tooLong = await sendRaw(gateway.url, [head, ...Array(11).fill(framed)]);

    expect(tooLong).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
    expect(lambda.invocations).toEqual([]);
  });

  it("of more than Lambda's limit is refused", async () => {
    const tooLong = "x".repeat(6 * 1024 * 1024);
    const answer = await send("POST /a/b", ["Content-Type: text/plain", ...bodyHeaders(tooLong)], tooLong);

    expect(answer).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
    expect(lambda.invocations).toEqual([]);
  });

  it("invokes nothing if its client disconnects", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sent = request(`${gateway.url}/a/b`, { method: "POST", headers: { "content-length": "10" } });
    sent.on("error", () => resolve());
    sent.write("half", () => sent.destroy());
    await promise;

    expect((await send("GET /only-get")).status).toBe(200);
    expect(lambda.invocations).toHaveLength(1);
  });
});

describe("the method", () => {
  it.each([
    ["HEAD /only-get", "$default"],
    ["OPTIONS /only-get", "$default"],
    ["OPTIONS /a/b", "ANY /a/{name}"],
    ["PROPFIND /a/b", "ANY /a/{name}"],
  ])("of %s is passed unchanged, by %s", async (line, routeKey) => {
    await send(line);

    const [method] = line.split(" ");
    expect(event()).toMatchObject({ routeKey, requestContext: { http: { method } } });
  });

  it("HEAD returns only the head of the answer", async () => {
    const answer = await send("HEAD /a/b");

    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(answer.headers).toContainEqual(["content-length", "4"]);
  });
});

describe("the answer", () => {
  const answerOf = async (value: unknown) => {
    give(value);
    return await send("GET /only-get");
  };

  it("contains bytes if the body is base64", async () => {
    give({ statusCode: 200, isBase64Encoded: true, body: "//4A" });
    const answer = await fetch(`${gateway.url}/only-get`);

    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(Uint8Array.from([255, 254, 0]));
  });

  it.each([
    ["an object without a status", { message: "hi" }, '{"message":"hi"}'],
    ["a text", "Hello from Lambda!", "Hello from Lambda!"],
    ["nothing", null, "null"],
  ])("is a 200 of JSON if the function returns %s", async (_what, value, body) => {
    const answer = await answerOf(value);

    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers).toContainEqual(["content-type", "application/json"]);
  });

  it.each([
    ["failed", 500, "Internal Server Error"],
    ["exited", 500, "Internal Server Error"],
    ["throttled", 503, "Service Unavailable"],
    ["timedOut", 503, "Service Unavailable"],
  ] as const)("is the gateway's own if the function %s", async (kind, status, message) => {
    outcome = { kind, body: "{}" };

    expect(await send("GET /only-get")).toMatchObject({ status, body: JSON.stringify({ message }) });
  });

  it("is 503 after the gateway's own timeout", async () => {
    const never = fakeLambda(["own"], () => new Promise<Outcome>(() => {}));
    const impatient = await startHttpGateway({ lambda: never.service, routes }, { timeoutMs: 1 });

    expect((await fetch(`${impatient.url}/only-get`)).status).toBe(503);
    await impatient.close();
  });

  it("has a line for each cookie, sets its own length, and drops connection headers", async () => {
    const { headers, body } = await answerOf({
      statusCode: 200,
      headers: {
        "Set-Cookie": "c=3",
        "Content-Length": "999",
        "Transfer-Encoding": "chunked",
        Connection: "upgrade",
        "x-own": true,
      },
      cookies: ["a=1; Path=/", "b=2"],
      multiValueHeaders: { "x-many": ["1", "2"] }, // only in format 1.0
      body: "é",
    });

    const valuesOf = (wanted: string) => headers.flatMap(([name, value]) => (name === wanted ? [value] : []));
    expect(valuesOf("set-cookie")).toEqual(["a=1; Path=/", "b=2", "c=3"]);
    expect([valuesOf("content-length"), valuesOf("x-own")]).toEqual([["2"], ["true"]]);
    expect([valuesOf("transfer-encoding"), valuesOf("x-many")]).toEqual([[], []]);
    expect(valuesOf("connection")).toEqual(["close"]);
    expect(body).toBe("é");
  });

  it("is text by default, and has the id of its request", async () => {
    const { headers } = await answerOf({ statusCode: "201" });

    expect(headers).toContainEqual(["content-type", "text/plain;charset=UTF-8"]);
    const id = expect.stringMatching(/^[\w+/]{15}=$/);
    expect(event()).toMatchObject({ requestContext: { requestId: id } });
    const context = event()?.requestContext;
    expect(headers).toContainEqual(["apigw-requestid", Reflect.get(Object(context), "requestId")]);
  });

  it.each([204, 304])("with status %s has no body", async (statusCode) => {
    const { status, headers, body } = await answerOf({ statusCode, body: "more" });

    expect([status, body]).toEqual([statusCode, ""]);
    expect(headers.map(([name]) => name)).not.toContain("content-length");
  });

  it.each([
    ["a line break in a header", { statusCode: 200, headers: { "x-own": "1\r\nx-forged: 2" } }],
    ["an invalid header name", { statusCode: 200, headers: { "x own": "1" } }],
    ["a list as a header", { statusCode: 200, headers: { "x-own": ["1"] } }],
    ["a line break in a cookie", { statusCode: 200, cookies: ["a=1\nb=2"] }],
    ["cookies as a text", { statusCode: 200, cookies: "a=1" }],
    ["the status 100", { statusCode: 100 }],
    ["the status 600", { statusCode: 600 }],
    ["no status but null", { statusCode: null }],
    ["a body that is not a string", { statusCode: 200, body: 1 }],
  ])("is 500 if it is invalid, with %s", async (_what, value) => {
    const { status, headers, body } = await answerOf(value);

    expect([status, body]).toEqual([500, '{"message":"Internal Server Error"}']);
    expect(headers.map(([name]) => name)).not.toContain("x-forged");
  });
});

describe("a table of routes", () => {
  const routesOf = (keys: readonly string[]) => keys.map((key) => ({ key, functionKey: key }));
  const table = routesOf(["ANY /a/{rest+}", "GET /a/{name}", "GET /a/b", "ANY /a/b", "$default"]);

  it.each([
    ["GET", "/a/b", "GET /a/b"],
    ["POST", "/a/b", "ANY /a/b"],
    ["GET", "/a/c", "GET /a/{name}"],
    ["POST", "/a/c", "ANY /a/{rest+}"],
    ["GET", "/a/b/c", "ANY /a/{rest+}"],
    ["GET", "/x", "$default"],
  ])("finds the most specific one for %s %s", (method, path, key) => {
    expect(findRoute(table, method, path)?.key).toBe(key);
  });

  it("returns the rest of a path undivided", () => {
    expect(findRoute(table, "POST", "/a/b/c d")?.pathParameters).toEqual({ rest: "b/c d" });
  });

  it.each([
    ["POST", "/nowhere"],
    ["GET", "/webhooks/app"],
    ["POST", "/webhooks/"],
    ["POST", "/webhooks/app/more"],
  ])("may have no match for %s %s", (method, path) => {
    expect(findRoute(routesOf(["POST /webhooks/{appId}"]), method, path)).toBeUndefined();
  });

  it("returns 404 without a match", async () => {
    const empty = await startHttpGateway({ lambda: lambda.service, routes: [] });
    const answer = await fetch(`${empty.url}/nowhere`);
    await empty.close();

    expect([answer.status, await answer.json()]).toEqual([404, { message: "Not Found" }]);
  });

  it.each([
    ["post /a", "POST /a"],
    ["* /a", "ANY /a"],
    ["*", "$default"],
    [{ method: "get", path: "/a" }, "GET /a"],
  ])("reads %j as in serverless.yml", (declared, key) => {
    expect(writeRouteKey(declared)).toBe(key);
  });
});
