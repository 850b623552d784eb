import timers from "node:timers/promises";
import type { LocalStack } from "../../local/stack/local-stack.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string | null;
}

/** Posts again after a 503: a busy receiver may refuse what it could not store in time. */
export async function postPatiently(post: () => Promise<Response>): Promise<Response> {
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000]) {
    const response = await post();
    if (response.status !== 503) return response;
    await response.body?.cancel();
    await timers.setTimeout(pauseMs);
  }
  return post();
}

/** Posts a body to the receiver as the platform would, with the registered credentials by default. */
export async function deliver(
  { webhook }: LocalStack,
  body: string | Uint8Array<ArrayBuffer>,
  options: { authorization?: string | null; appId?: string; contentType?: string } = {},
): Promise<Answer> {
  const {
    authorization = basic(webhook.username, webhook.password),
    appId,
    contentType = "Application/json",
  } = options;
  const url = appId === undefined ? webhook.url : webhook.url.replace(/[^/]+$/, appId);
  const headers = { "content-type": contentType, ...(authorization === null ? {} : { authorization }) };
  const response = await postPatiently(() => fetch(url, { method: "POST", headers, body }));
  return {
    status: response.status,
    body: await response.text(),
    contentType: response.headers.get("content-type"),
  };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The functions use this machine's clock and ignore old messages. Equal for all copies of a delivery. */
const sentAt = Math.floor(Date.now() / 1000);

/** The platform's delivery of a text message that was sent just now, otherwise as in its documentation. */
export function messageSent(fields: {
  id: string;
  sender: string;
  receiver?: string;
  text?: string;
}): string {
  const { id, sender, receiver = "support", text = "hello" } = fields;
  return JSON.stringify({
    trigger: "message_sent",
    data: {
      message: {
        id,
        conversationId: `${[sender, receiver].toSorted().join("_user_")}`,
        sender,
        receiverType: "user",
        receiver,
        category: "message",
        type: "text",
        data: { text, entities: {} },
        sentAt,
        updatedAt: sentAt,
      },
    },
    appId: "local-app",
    region: "us",
    webhook: "functions",
  });
}
