import { describe, expect, it } from "vitest";
import { writeFunctionRequest } from "../../../local/testing/kit/write-function-request.ts";

const nowMs = Date.UTC(2026, 0, 1);
const write = (request: Parameters<typeof writeFunctionRequest>[0], route?: string) =>
  writeFunctionRequest(request, route, nowMs);

describe("writeFunctionRequest", () => {
  it("writes what a request leaves out as the gateway would", () => {
    const event = write({ path: "/notify" });

    expect(event).toMatchObject({
      routeKey: "$default",
      rawPath: "/notify",
      rawQueryString: "",
      headers: { host: "own.example" },
      requestContext: {
        http: { method: "POST", path: "/notify", sourceIp: "127.0.0.1", protocol: "HTTP/1.1" },
        timeEpoch: nowMs,
      },
    });
    expect(event.headers).not.toHaveProperty("content-type");
    expect(event.body ?? "").toBe("");
  });

  it("joins the query of the path and that of the request, encoded", () => {
    const event = write({ path: "/notify?from=shop", method: "GET", query: { page: "2 3", of: "ä&b" } });

    expect(event.rawQueryString).toBe("from=shop&page=2+3&of=%C3%A4%26b");
    expect(event.queryStringParameters).toEqual({ from: "shop", page: "2 3", of: "ä&b" });
  });

  it("finds the route's parts in the path, which it hands over decoded", () => {
    const event = write({ path: "/notify/app%201", method: "PUT" }, "PUT /notify/{appId}");

    expect(event).toMatchObject({ routeKey: "PUT /notify/{appId}", rawPath: "/notify/app 1" });
    expect(event.pathParameters).toEqual({ appId: "app 1" });
  });

  it.each([
    [{ path: "/other/app-1" }, "POST /other/app-1"],
    [{ path: "/notify/app-1", method: "GET" }, "GET /notify/app-1"],
  ])("refuses %j, which the route does not take", (request, named) => {
    expect(() => write(request, "POST /notify/{appId}")).toThrow(
      `No route takes ${named}: there is only POST /notify/{appId}.`,
    );
  });

  it.each([
    [{ text: "Grüße" }, {}, '{"text":"Grüße"}', "application/json"],
    [[1, 2], { "x-of": "shop" }, "[1,2]", "application/json"],
    [{ a: 1 }, { "Content-Type": "application/vnd.own+json" }, '{"a":1}', "application/vnd.own+json"],
    ["plain", {}, "plain", undefined],
    ["plain", { "content-type": "text/plain" }, "plain", "text/plain"],
  ])("sends the body %j with the headers %j", (body, headers, text, type) => {
    const event = write({ path: "/", body, headers });

    const bytes = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
    expect(bytes.toString("utf8")).toBe(text);
    expect(event.headers["content-type"]).toBe(type);
  });
});
