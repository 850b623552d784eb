import type { Dialect } from "./cases.ts";
import { benchSecret } from "./loopback-aws.ts";

/** Creates a function's event for one webhook of about 1 kB. */
export function createBenchEvent(dialect: Dialect): unknown {
  const { appId, webhookUsername, webhookPassword } = benchSecret;
  switch (dialect) {
    case "platform": {
      const token = Buffer.from(`${webhookUsername}:${webhookPassword}`).toString("base64");
      return httpEvent(platformBody, { authorization: `Basic ${token}` });
    }
    case "queue":
      return sqsEvent(appId, platformBody);
    case "queue-reply":
      return sqsEvent(appId, answeredBody);
  }
}

/** Now: an event older than 30 days is dead-lettered unread. */
const sentAt = Math.floor(Date.now() / 1000);
const text = "Good morning! Is the price of the blue one still the same? 🎉 I would take two. ".repeat(4);

/** A message from one user to another: no rule of config/replies.yml answers it. */
const platformBody = bodyTo("bob");
/** One that the first rule of config/replies.yml answers. */
const answeredBody = bodyTo("support");

function bodyTo(receiver: string) {
  return JSON.stringify({
    trigger: "message_sent",
    data: {
      message: {
        id: "4711",
        muid: "8f1c2d3e",
        conversationId: `alice_user_${receiver}`,
        sender: "alice",
        receiverType: "user",
        receiver,
        category: "message",
        type: "text",
        data: {
          text,
          entities: {
            sender: { entityType: "user", entity: { uid: "alice", name: "Alice", role: "default" } },
            receiver: { entityType: "user", entity: { uid: receiver, name: "Bob", role: "default" } },
          },
        },
        sentAt,
        updatedAt: sentAt,
      },
    },
    appId: benchSecret.appId,
    region: "us",
    webhook: "functions",
  });
}

/** API Gateway's event, payload format 2.0. */
function httpEvent(body: string, headers: Record<string, string>): unknown {
  const path = `/webhooks/${benchSecret.appId}`;
  return {
    version: "2.0",
    routeKey: "POST /webhooks/{appId}",
    rawPath: path,
    rawQueryString: "",
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      host: "example.execute-api.us-east-1.amazonaws.com",
      "user-agent": "webhooks",
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "https",
      ...headers,
    },
    pathParameters: { appId: benchSecret.appId },
    requestContext: { http: { method: "POST", path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1" } },
    body,
    isBase64Encoded: false,
  };
}

function sqsEvent(appId: string, body: string): unknown {
  const queued = {
    v: 1,
    appId,
    family: "webhook",
    trigger: "message_sent",
    key: `${appId}|functions|message_sent|4711`,
    receivedAt: sentAt * 1000,
    body,
    base64: false,
  };
  return {
    Records: [
      {
        messageId: "00000000-0000-4000-8000-000000000000",
        receiptHandle: "handle",
        body: JSON.stringify(queued),
        attributes: {
          ApproximateReceiveCount: "1",
          SentTimestamp: String(sentAt * 1000),
          ApproximateFirstReceiveTimestamp: String(sentAt * 1000),
          MessageGroupId: "lane",
          SequenceNumber: "1",
        },
        messageAttributes: {},
        eventSource: "aws:sqs",
        eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:events.fifo",
        awsRegion: "us-east-1",
      },
    ],
  };
}
