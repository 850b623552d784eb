import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createReadSecret } from "../../../../lib/aws/secrets/secret-reader.ts";
import { startLoopbackServer } from "../../../helpers/loopback-server.ts";

/** Points the AWS SDK at a server, as its own variables do. */
function pointSdkAt(url: string): void {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "key");
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", url);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("createReadSecret", () => {
  it("gives the text of a secret", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end('{"SecretString":"the value é"}');
    });
    pointSdkAt(server.url);

    expect(await createReadSecret()("chat/app")).toBe("the value é");
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({ SecretId: "chat/app" });
  });

  it.each([
    ["never answers", () => undefined],
    [
      "stops in the middle of its answer",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{");
      },
    ],
  ])("gives up on a service that %s, after three tries", async (_case, answer) => {
    const server = await startLoopbackServer((_request, response) => void answer(response));
    pointSdkAt(server.url);

    await expect(createReadSecret({ answerMs: 500 })("chat/app")).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(server.requests).toHaveLength(3);
  });

  it("gives up on all tries together when its caller's time is up", async () => {
    const server = await startLoopbackServer(() => undefined);
    pointSdkAt(server.url);

    await expect(createReadSecret()("chat/app", undefined, 20)).rejects.toMatchObject({
      name: "SecretTimeoutError",
    });
    expect(server.requests.length).toBeLessThan(2);
  });
});
