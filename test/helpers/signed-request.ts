import { createHmac } from "node:crypto";

/** Where a call goes, and what it carries. */
export interface SignedTarget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Signs the call too, as `x-cometchat-signature`; leave it out for what the platform is documented to send. */
  readonly webhookSecret?: string;
}

/**
 * Builds a call as the platform makes it: POST, JSON, Basic credentials and, on wish, a signature over the bytes.
 * @example await fetch(signedRequest({ url, username, password }, events.messageSent({ text: "hi" })))
 */
export function signedRequest(target: SignedTarget, body: object | string): Request {
  const { url, username, password, webhookSecret } = target;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = new Headers({
    "content-type": "Application/json", // with a capital, as it really comes (docs/platform/webhooks.md#content-type)
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
  });
  if (webhookSecret !== undefined) {
    headers.set("x-cometchat-signature", createHmac("sha256", webhookSecret).update(text).digest("hex"));
  }
  return new Request(url, { method: "POST", headers, body: text });
}
