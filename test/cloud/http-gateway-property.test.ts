import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { toWholeRequest } from "../../lib/base/http/whole-request.ts";
import { startHttpGateway } from "../../local/cloud/gateway/http-gateway.ts";
import type { LocalServer } from "../../local/cloud/local-server.ts";
import { runs } from "../helpers/property-runs.ts";
import { fakeLambda } from "./fake-lambda.ts";
import { rawHead, sendRaw } from "./send-raw.ts";

let gateway: LocalServer;
const lambda = fakeLambda(["own"], () => ({ kind: "answered", body: '{"statusCode":200}' }));

beforeAll(async () => {
  gateway = await startHttpGateway({
    lambda: lambda.service,
    routes: [
      { key: "ANY /a/{name}/b", functionKey: "own" },
      { key: "ANY /rest/{rest+}", functionKey: "own" },
    ],
  });
});
afterAll(() => gateway.close());
beforeEach(() => {
  lambda.invocations.length = 0;
});

// Typed by the package of AWS's types, which knows nothing of what comes over the wire.
const eventSchema = z.looseObject({ version: z.literal("2.0") });

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
/** What stands in a path, written so that nothing in it is syntax, also when it is decoded twice. */
const segment = text.filter((one) => !/[/?%]/.test(one) && one.isWellFormed());
const encode = (one: string) => encodeURIComponent(one);
const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/).map((name) => `X-${name}`);
const headerValue = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const query = fc.array(
  fc.tuple(
    text.filter((one) => one.isWellFormed()),
    fc.string({ unit: "grapheme" }),
  ),
  {
    maxLength: 6,
  },
);
const types = fc.constantFrom(
  ...["application/json", "text/plain; charset=utf-8", "image/png", "application/x-www-form-urlencoded", "x"],
);

/** Sends a request and gives what a handler is told of it. */
async function handlerGets(line: string, headers: readonly string[], body: Uint8Array) {
  lambda.invocations.length = 0;
  const length = body.byteLength === 0 ? [] : [`Content-Length: ${body.byteLength}`];
  const { status } = await sendRaw(gateway.url, [rawHead(line, [...headers, ...length]), body]);
  expect(status).toBe(200);
  const [invocation] = lambda.invocations;
  eventSchema.parse(invocation?.payload);
  return toWholeRequest(invocation?.payload as Parameters<typeof toWholeRequest>[0]);
}

describe("whatever is sent, a handler gets", () => {
  it("the body's bytes, whatever they are and whatever their type says", async () => {
    const bodies = fc.uint8Array({ maxLength: 300 });
    // A body that says it is text and is none is the one that the gateway changes.
    const isTrue = (type: string, body: Uint8Array) =>
      !/^(text|application\/json)/.test(type) || Buffer.from(Buffer.from(body).toString()).equals(body);
    await fc.assert(
      fc.asyncProperty(types, bodies, async (type, body) => {
        fc.pre(isTrue(type, body));

        const request = await handlerGets("POST /a/x/b", [`Content-Type: ${type}`], body);

        expect(Buffer.from(request.body).equals(body)).toBe(true);
        expect(request.text === undefined || request.text === Buffer.from(body).toString()).toBe(true);
      }),
      runs(50),
    );
  });

  it("each name of the path, decoded", async () => {
    await fc.assert(
      fc.asyncProperty(segment, fc.array(segment, { minLength: 1, maxLength: 4 }), async (name, rest) => {
        const one = await handlerGets(`GET /a/${encode(name)}/b`, [], new Uint8Array());
        const many = await handlerGets(`GET /rest/${rest.map(encode).join("/")}`, [], new Uint8Array());

        expect(one.pathParameters).toEqual({ name });
        expect(many.pathParameters).toEqual({ rest: rest.join("/") });
      }),
      runs(50),
    );
  });

  it("each value of the query, several of a name joined", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (pairs) => {
        const sent = pairs
          .map(([name, value]) => `${encode(name)}=${encode(value.toWellFormed())}`)
          .join("&");
        const names = [...new Set(pairs.map(([name]) => name))];
        const valuesOf = (wanted: string) =>
          pairs.flatMap(([name, value]) => (name === wanted ? [value.toWellFormed()] : [])).join(",");

        const request = await handlerGets(`GET /a/x/b?${sent}`, [], new Uint8Array());

        expect(Object.entries(request.query)).toEqual(names.map((name) => [name, valuesOf(name)]));
      }),
      runs(50),
    );
  });

  it("each header, several of a name joined, whatever their names' case", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(token, headerValue), { maxLength: 8 }), async (pairs) => {
        const names = [...new Set(pairs.map(([name]) => name.toLowerCase()))];
        const valuesOf = (wanted: string) =>
          pairs.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : [])).join(",");

        const request = await handlerGets(
          "GET /a/x/b",
          pairs.map(([name, value]) => `${name}: ${value}`),
          new Uint8Array(),
        );

        for (const name of names) expect([name, request.headers[name]]).toEqual([name, valuesOf(name)]);
      }),
      runs(50),
    );
  });
});
