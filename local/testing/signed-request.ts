import { createHmac } from "node:crypto";
import { checkPlain, type PlainRules, plainText, readPlainly } from "../../lib/chat/check-plain.ts";
import { InvalidInputError } from "../../lib/chat/errors.ts";
import { writeDelivery } from "../platform/write-delivery.ts";
import { isJsonBody } from "./json-body.ts";

/** The address and credentials of a call. */
export interface SignedTarget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Also signs the call, as `x-cometchat-signature`, which the platform does not document. */
  readonly webhookSecret?: string;
}

/**
 * Builds a webhook call as the platform makes it: POST, JSON, Basic credentials and, optionally, a signature
 * over the bytes.
 * @param body from the builders of `events`, or the exact text
 * @throws TypeError if `url` is not a URL
 * @example const response = await receive(signedRequest({ url, username, password }, events.messageSent({
 *   text: "hi" })));
 */
export function signedRequest(target: SignedTarget, body: object | string): Request {
  checkSigned("signedRequest", target, body);
  const { body: text, headers } = writeSigned(target, body);
  return new Request(target.url, { method: "POST", headers, body: text });
}

/** @throws InvalidInputError */
export function checkSigned(call: string, target: unknown, body: unknown): void {
  checkPlain(call, "target", targetRules, target, ["url", "username", "password"]);
  const isBody = readPlainly(
    call,
    "body",
    () => typeof body === "string" || (typeof body === "object" && body !== null && isJsonBody(body)),
  );
  const rule = "what the builders of events make, or the exact text";
  if (!isBody) throw new InvalidInputError(call, "body", rule, body === undefined);
}

const targetRules: PlainRules = {
  url: [
    "an address such as https://example.com/webhooks/app-1",
    (value) => typeof value === "string" && URL.canParse(value),
  ],
  username: plainText,
  password: plainText,
  webhookSecret: plainText,
};

export function writeSigned(target: SignedTarget, body: object | string) {
  const { username, password, webhookSecret } = target;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const delivery = writeDelivery(text, { username, password });
  if (webhookSecret === undefined) return delivery;
  // No page describes it (docs/internals/platform/webhooks.md#signature): the emulation does not sign.
  const signature = createHmac("sha256", webhookSecret).update(text).digest("hex");
  return { ...delivery, headers: { ...delivery.headers, "x-cometchat-signature": signature } };
}
