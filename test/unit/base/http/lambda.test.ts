import type { APIGatewayProxyEventV2 } from "aws-lambda";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrivalOf, toHttpRequest } from "../../../../lib/base/http/lambda.ts";
import { runs } from "../../../helpers/property-runs.ts";

const event = (fields: Partial<APIGatewayProxyEventV2>) => fields as APIGatewayProxyEventV2;

describe("toHttpRequest", () => {
  it("decodes the sender's bytes from base64, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = Buffer.from(bytes).toString("base64");

        const request = toHttpRequest(event({ body, isBase64Encoded: true }));

        expect(Uint8Array.from(request.body)).toEqual(bytes);
      }),
      runs(),
    );
  });

  it("returns text as UTF-8 bytes", () => {
    expect(toHttpRequest(event({ body: '{"t":"é🎉"}' })).body).toEqual(Buffer.from('{"t":"é🎉"}', "utf8"));
  });

  it("returns the text, too, unless its bytes differ", () => {
    const texts = [
      event({ body: "é🎉" }),
      event({ body: "\ud800" }),
      event({ body: "6Q==", isBase64Encoded: true }),
    ].map((one) => toHttpRequest(one).text);

    expect(texts).toEqual(["é🎉", undefined, undefined]);
  });

  it("lower-cases header names", () => {
    const request = toHttpRequest(
      event({ headers: { Authorization: "Basic eA==", "Content-Type": "Application/json" } }),
    );

    expect(request.headers).toEqual({ authorization: "Basic eA==", "content-type": "Application/json" });
  });

  it("accepts an event without headers, parameters and body", () => {
    expect(toHttpRequest(event({}))).toEqual({ headers: {}, pathParameters: {}, body: Buffer.alloc(0) });
  });
});

describe("arrivalOf", () => {
  const nowMs = 1_760_000_000_000;

  it.each<[unknown, number]>([
    [nowMs - 300, nowMs - 300],
    [nowMs + 600_000, nowMs],
    [nowMs - 600_000, nowMs - 30_000],
    [undefined, nowMs],
    [null, nowMs],
    [0, nowMs],
    [-1, nowMs],
    [nowMs - 0.5, nowMs],
    [Number.NaN, nowMs],
    ["soon", nowMs],
  ])("accepts %j as an arrival at %d", (arrivedAt, expected) => {
    expect(Reflect.apply(arrivalOf, undefined, [{ arrivedAt }, nowMs])).toBe(expected);
  });
});
