import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Credentials that every secret of the loopback services holds. */
export const benchSecret = {
  appId: "local-app",
  region: "us",
  apiKey: "bench-api-key",
  webhookUsername: "platform",
  webhookPassword: "bench-webhook-password",
};

/**
 * Starts the least that answers like Secrets Manager, SQS, DynamoDB and the chat platform, shared by all
 * cases: local stand-ins that do their work would add their own time, and its noise, to everything measured.
 */
export function startLoopbackAws(): Promise<LoopbackServer> {
  return startLoopback((request, body, response) => {
    const target = String(request.headers["x-amz-target"] ?? "");
    response.setHeader("content-type", request.headers["content-type"] ?? "application/json");
    response.end(answerTo(request.url ?? "", target, body));
  });
}

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an HTTP server on loopback that passes each request with its whole body to `answer`. */
export async function startLoopback(
  answer: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    answer(request, Buffer.concat(chunks), response);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The loopback server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The platform's answer to a sent message. */
const sentAnswer = JSON.stringify({ data: { id: "4712", sender: "support", receiver: "alice" } });
const secretAnswer = JSON.stringify({ SecretString: JSON.stringify(benchSecret) });

function answerTo(path: string, target: string, body: Buffer) {
  if (path.endsWith("/messages")) return sentAnswer;
  if (target === "secretsmanager.GetSecretValue") return secretAnswer;
  if (target === "AmazonSQS.SendMessage") {
    // The SDK checks the digest of what it sent.
    const { MessageBody: text } = JSON.parse(body.toString("utf8"));
    return JSON.stringify({ MessageId: "1", MD5OfMessageBody: createHash("md5").update(text).digest("hex") });
  }
  return "{}";
}
