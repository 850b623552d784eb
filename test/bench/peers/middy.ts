import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import inputOutputLogger from "@middy/input-output-logger";
import { enqueue, fetchSecret } from "./signed-fetch.ts";

let expected: Promise<string> | undefined;

async function fetchExpected(): Promise<string> {
  const { webhookUsername, webhookPassword } = await fetchSecret();
  return `Basic ${Buffer.from(`${webhookUsername}:${webhookPassword}`).toString("base64")}`;
}

export const handler = middy()
  .use(inputOutputLogger({ logger: () => {} }))
  .use(httpHeaderNormalizer())
  .use(httpJsonBodyParser())
  .use(httpErrorHandler())
  .handler(async ({ headers, body }) => {
    expected ??= fetchExpected();
    if (headers.authorization !== (await expected)) return { statusCode: 401, body: "{}" };
    await enqueue(JSON.stringify(body), body.data.message.conversationId);
    return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
  });
