import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { type AwsCall, createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const call: AwsCall = {
  service: "sqs",
  target: "AmazonSQS.SendMessage",
  input: { QueueUrl: "q", MessageBody: "é🎉" },
};

const createCaller = (url: string) =>
  createAwsCaller({
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "a-secret-access-key",
    AWS_SESSION_TOKEN: "a-session-token",
    AWS_ENDPOINT_URL_SQS: url,
  });

describe("createAwsCaller", () => {
  it.each([
    [{ AWS_REGION: "eu-west-1" }, "https://sqs.eu-west-1.amazonaws.com"],
    [{ AWS_REGION: "cn-north-1" }, "https://sqs.cn-north-1.amazonaws.com.cn"],
    [{ AWS_ENDPOINT_URL: "https://all.example" }, "https://all.example"],
    [
      { AWS_ENDPOINT_URL: "https://all.example", AWS_ENDPOINT_URL_SQS: "https://sqs.example" },
      "https://sqs.example",
    ],
    [{ AWS_ENDPOINT_URL: "https://all.example", AWS_ENDPOINT_URL_SQS: "" }, "https://all.example"],
  ])("finds the service as the SDK does, by %j", async (env, address) => {
    const addresses: string[] = [];
    const createPost = (url: string) => {
      addresses.push(url);
      return async () => ({ status: 200, body: '{"MessageId":"1"}' });
    };

    await createAwsCaller(env, { createPost })(call);

    expect(addresses).toEqual([address]);
  });

  it("sends a signed JSON call with Lambda's credentials to the given endpoint", async () => {
    const server = await startLoopbackServer((_request, response) => response.end('{"MessageId":"1"}'));

    const answer = await createCaller(server.url)(call);

    expect(answer).toEqual({ MessageId: "1" });
    const [request] = server.requests;
    expect(request?.headers["x-amz-target"]).toBe("AmazonSQS.SendMessage");
    expect(request?.headers["content-type"]).toBe("application/x-amz-json-1.0");
    expect(request?.headers["x-amz-security-token"]).toBe("a-session-token");
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/sqs\/aws4_request, /,
    );
    expect(JSON.parse(request?.body ?? "")).toEqual(call.input);
  });

  it("reports a refused connection", async () => {
    const closed = await new Promise<string>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(`http://127.0.0.1:${port}`));
      });
    });

    await expect(createCaller(closed)(call)).rejects.toThrow(
      "AmazonSQS.SendMessage failed with ECONNREFUSED. Check the network and endpoint.",
    );
  });

  it("reuses one connection for consecutive calls", async () => {
    const server = await startLoopbackServer((_request, response) => response.end('{"MessageId":"1"}'));
    const callAws = createCaller(server.url);

    await callAws(call);
    await callAws(call);
    await callAws(call);

    expect(server.connections()).toBe(1);
  });
});
