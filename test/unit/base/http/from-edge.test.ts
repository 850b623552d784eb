import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fromEdge } from "../../../../lib/base/http/from-edge.ts";
import { toWholeRequest } from "../../../../lib/base/http/whole-request.ts";
import { signedLambdaEvent } from "../../../../local/testing/signed-lambda-event.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const target = { url: "https://example.com/webhooks/app", username: "platform", password: "p" };
const statusWith = async (headers: Record<string, string>) => {
  const event = signedLambdaEvent(target, "{}");
  const handler = fromEdge(async () => ({ statusCode: 200 }));
  const { statusCode } = await handler({ ...event, headers: { ...event.headers, ...headers } }, {});
  return statusCode;
};

afterEach(() => void vi.unstubAllEnvs());

describe("a function behind a distribution", () => {
  it("answers everybody while the stage names no key", async () => {
    expect(await statusWith({})).toBe(200);
  });

  it.each([
    ["a key", { "x-origin": "one" }, 200],
    ["the other, while they are replaced", { "x-origin": "two" }, 200],
    ["a wrong one", { "x-origin": "three" }, 404],
    ["none", {}, 404],
  ])("answers as an unknown route does unless a request has %s", async (_case, headers, status) => {
    vi.stubEnv("ORIGIN_KEY_SHA256", [sha256("one"), sha256("two")].join());

    expect(await statusWith(headers)).toBe(status);
  });

  it("takes the address that the distribution saw for the caller's, not what a caller claims", () => {
    vi.stubEnv("ORIGIN_KEY_SHA256", sha256("one"));
    const event = signedLambdaEvent(target, "{}");
    const headers = { ...event.headers, "x-forwarded-for": "9.9.9.9, 203.0.113.7, 130.176.0.1" };

    expect(toWholeRequest({ ...event, headers }).sourceIp).toBe("203.0.113.7");
  });
});
