import { hmacSha256 } from "../base/digest.ts";
import { basicAuthorization } from "../base/http/basic-authorization.ts";

/** Checks credentials: answered 200 like a delivery, without an event. */
export const probeBody = '{"probe":"credentials"}';

/** Without a `signingKey`, unsigned. */
export function probeHeaders(username: string, password: string, signingKey: string | undefined) {
  return {
    authorization: basicAuthorization(username, password),
    "content-type": "application/json",
    ...(signingKey !== undefined && { "x-cometchat-signature": hmacSha256(signingKey, probeBody, "hex") }),
  };
}
