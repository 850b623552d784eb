import crypto from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createAwsSigner } from "../../../lib/aws/sign-aws-request.ts";
import { anyText } from "../../helpers/any-text.ts";
import { runs } from "../../helpers/property-runs.ts";

const signer = {
  region: "us-east-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: undefined,
};
const now = () => Date.UTC(2015, 7, 30, 12, 36, 0);

describe("createAwsSigner", () => {
  // "post-vanilla" and "post-header-value-case" of AWS's published test suite for Signature Version 4.
  it.each([
    [{}, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
    [{ "my-header1": "VALUE1" }, "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"],
  ])("makes AWS's own signature for headers %j", (more, signature) => {
    const headers = { host: "example.amazonaws.com", ...more };

    const signed = createAwsSigner(signer, now)({ service: "service", headers, body: "" });

    expect(signed["x-amz-date"]).toBe("20150830T123600Z");
    expect(signed.authorization).toMatch(new RegExp(`Signature=${signature}$`));
  });

  it.each([
    ["GET", "/2015-03-31/functions/f/invocations", "Qualifier=durable"],
    [
      "POST",
      "/2025-12-01/durable-executions/arn%3Aaws%3Alambda%3Aus-east-1%3A1%3Afunction%3Af%3A1%2Fdurable-execution%2Fn%2Fid/checkpoint",
      "",
    ],
    [
      "GET",
      "/2025-12-01/durable-execution-callbacks/a%2Bb%2F%3D%27%28x%29%2A%21/state",
      "Marker=a%2Bb%3D&MaxItems=1000",
    ],
  ])("signs %s %s?%s like another implementation", async (method, path, query) => {
    const headers = { host: "h.example", "content-type": "application/json" };

    const signed = createAwsSigner(
      signer,
      now,
    )({ service: "lambda", method, path, query, headers, body: "" });

    const other = new AwsV4Signer({
      accessKeyId: signer.accessKeyId,
      secretAccessKey: signer.secretAccessKey,
      region: signer.region,
      service: "lambda",
      method,
      url: `https://h.example${path}${query === "" ? "" : `?${query}`}`,
      headers: { "content-type": "application/json" },
      datetime: "20150830T123600Z",
      allHeaders: true,
    });
    expect(signed.authorization).toBe((await other.sign()).headers.get("authorization"));
  });

  it("signs like another implementation for any body, service, time and token", async () => {
    const arbitrary = fc.record({
      service: fc.constantFrom("sqs", "secretsmanager"),
      body: fc.oneof(anyText(), fc.uint8Array()),
      at: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
      sessionToken: fc.option(fc.stringMatching(/^[\x21-\x7e]{1,400}$/), { nil: undefined }),
      region: fc.constantFrom("us-east-1", "eu-central-1"),
    });

    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ service, body, at, sessionToken, region }) => {
        const headers = { host: "h.example", "content-type": "application/json", "x-amz-target": "A.B" };
        const own = createAwsSigner({ ...signer, region, sessionToken }, () => at);

        const signed = own({ service, headers, body });

        const { host: _, ...others } = headers;
        const other = new AwsV4Signer({
          accessKeyId: signer.accessKeyId,
          secretAccessKey: signer.secretAccessKey,
          ...(sessionToken === undefined ? {} : { sessionToken }),
          region,
          service,
          method: "POST",
          url: "https://h.example/",
          headers: others,
          body,
          allHeaders: true,
          datetime: signed["x-amz-date"] ?? "",
        });
        expect(signed.authorization).toBe((await other.sign()).headers.get("authorization"));
      }),
      runs(10),
    );
  });

  it("derives a new key on a new day", () => {
    let at = Date.UTC(2026, 0, 1, 23, 59, 59);
    const sign = createAwsSigner(signer, () => at);
    const request = { service: "sqs", headers: { host: "h" }, body: "" };
    sign(request);

    at = Date.UTC(2026, 0, 2);

    expect(sign(request)).toEqual(createAwsSigner(signer, () => at)(request));
  });
});

describe("createAwsSigner", () => {
  it("derives a service's key only once a day, which saves four of five HMACs", () => {
    const createHmac = vi.spyOn(crypto, "createHmac");
    const signer = { region: "r", accessKeyId: "id", secretAccessKey: "key", sessionToken: undefined };
    const sign = createAwsSigner(signer, () => 0);
    const request = { headers: { host: "h" }, body: "" };
    const hmacsOf = (service: string) => {
      createHmac.mockClear();
      sign({ ...request, service });
      return createHmac.mock.calls.length;
    };

    expect(["sqs", "events", "sqs", "events"].map(hmacsOf)).toEqual([5, 5, 1, 1]);
  });
});
