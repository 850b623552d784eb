import bolt from "@slack/bolt";
import { enqueue, fetchSecret } from "./signed-fetch.ts";

let handling: ReturnType<typeof connect> | undefined;

async function connect() {
  const { webhookPassword } = await fetchSecret();
  const receiver = new bolt.AwsLambdaReceiver({
    signingSecret: webhookPassword,
    logLevel: bolt.LogLevel.ERROR,
  });
  const app = new bolt.App({
    receiver,
    authorize: async () => ({ botToken: "none", botId: "B1", botUserId: "U0" }),
    processBeforeResponse: true,
    logLevel: bolt.LogLevel.ERROR,
  });
  app.message(async ({ body, message }) => enqueue(JSON.stringify(body), message.channel));
  return receiver.start();
}

export async function handler(event: unknown, context: unknown) {
  handling ??= connect();
  return (await handling)(event as never, context, () => {});
}
