import { Webhooks } from "@octokit/webhooks";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { enqueue, fetchSecret } from "./signed-fetch.ts";

let webhooks: Promise<Webhooks> | undefined;

async function connect(): Promise<Webhooks> {
  const { webhookPassword } = await fetchSecret();
  const connected = new Webhooks({ secret: webhookPassword });
  connected.on("push", async ({ payload }) => enqueue(JSON.stringify(payload), "push"));
  return connected;
}

export async function handler({ headers, body = "" }: APIGatewayProxyEventV2) {
  webhooks ??= connect();
  await (await webhooks).verifyAndReceive({
    id: headers["x-github-delivery"] ?? "",
    name: "push",
    payload: body,
    signature: headers["x-hub-signature-256"] ?? "",
  });
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
