import { describe, expect, it } from "vitest";
import { type AwsCall, type AwsEnvironment, createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { createAwsSigner } from "../../../lib/aws/sign-aws-request.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const call: AwsCall = { service: "sqs", target: "AmazonSQS.SendMessage", input: { MessageBody: "é🎉" } };
const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "a-secret-access-key" };

/** AWS with `answers`, one after the other. */
async function callAws(answers: readonly [status: number, body: string][], env: AwsEnvironment = keys) {
  const server = await startLoopbackServer((_request, response) => {
    const [status, body] = answers[server.requests.length - 1] ?? [200, "too many calls"];
    response.statusCode = status;
    response.end(body);
  });
  const settings = { ...env, AWS_ENDPOINT_URL_SQS: server.url };
  return { answer: createAwsCaller(settings, { now: () => 0 })(call), server };
}

describe("createAwsCaller", () => {
  it("names an AWS failure by its status if the answer has no code", async () => {
    for (const body of ["<html>", "null", '"text"', "7", '{"__type":7}', ""]) {
      const { answer } = await callAws([[404, body]]);

      await expect(answer, body).rejects.toMatchObject({ name: "AwsCallError", code: "HTTP status 404" });
    }
  });

  it("repeats a call once that was answered with status 500", async () => {
    const { answer } = await callAws([
      [500, ""],
      [200, '{"MessageId":"1"}'],
    ]);

    expect(await answer).toEqual({ MessageId: "1" });
  });

  it("accepts a successful answer that contains the word throttling", async () => {
    const { answer, server } = await callAws([[200, '{"MessageId":"Throttling"}']]);

    expect(await answer).toEqual({ MessageId: "Throttling" });
    expect(server.requests).toHaveLength(1);
  });

  it("repeats a send that was answered with 200 but no message id, and then throws", async () => {
    for (const body of ["", "{}", "<html>", '{"MessageId":""}']) {
      const odd = [200, body] as const;
      const { answer, server } = await callAws([[...odd], [200, '{"MessageId":"1"}']]);
      expect(await answer, body).toEqual({ MessageId: "1" });
      expect(server.requests).toHaveLength(2);

      const { answer: never } = await callAws(Array.from({ length: 9 }, () => [...odd]));
      await expect(never).rejects.toMatchObject({ code: "HTTP status 200", maybeExecuted: true });
    }
  });

  it.each([
    ["Lambda's credentials and region", { ...keys, AWS_REGION: "eu-central-1" }],
    ["the token of temporary credentials", { ...keys, AWS_SESSION_TOKEN: "a-token" }],
    ["us-east-1 when no region is set", keys],
    ["no credentials if there are none, which AWS then refuses by name", {}],
  ] satisfies [string, AwsEnvironment][])("signs with %s", async (_case, env: AwsEnvironment) => {
    const { answer, server } = await callAws([[200, '{"MessageId":"1"}']], env);
    await answer;

    const [request] = server.requests;
    const sign = createAwsSigner(
      {
        region: env.AWS_REGION ?? "us-east-1",
        accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
        sessionToken: env.AWS_SESSION_TOKEN,
      },
      () => 0,
    );
    const signed = sign({
      service: "sqs",
      headers: {
        host: String(request?.headers.host),
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": call.target,
      },
      body: JSON.stringify(call.input),
    });
    expect(request?.headers).toMatchObject(signed);
  });
});
