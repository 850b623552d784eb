import { describe, expect, it } from "vitest";
import { toLambdaHandler } from "../../lib/receive/own-hosts/to-lambda-handler.ts";

describe("toLambdaHandler", () => {
  const handler = toLambdaHandler(async (request) => new Response(`${request.method} ${request.url}`));

  it.each<[string, unknown]>([
    [
      "a REST API",
      { path: "/webhooks/a", httpMethod: "POST", headers: {}, requestContext: { stage: "prod" } },
    ],
    ["a load balancer", { path: "/webhooks/a", httpMethod: "POST", requestContext: { elb: {} } }],
    ["no source", undefined],
  ])("names the accepted format for an event of %s", async (_case, event) => {
    await expect(Reflect.apply(handler, undefined, [event])).rejects.toThrow(/payload format 2\.0/);
  });

  it("accepts an event without headers and body", async () => {
    const event = { rawPath: "/webhooks/a", requestContext: { http: { method: "POST" } } };

    await expect(Reflect.apply(handler, undefined, [event])).resolves.toMatchObject({
      statusCode: 200,
      body: "POST https://localhost/webhooks/a",
    });
  });
});
