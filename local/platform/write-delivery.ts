import { authorizationOf, type Credentials, outgoingHeaders } from "./webhooks/send.ts";

/** Writes a call to a webhook as the platform makes it, by the code that makes it. Always POST. */
export function writeDelivery(
  body: string,
  credentials: Credentials,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  return { body, headers: outgoingHeaders({ body, authorization: authorizationOf(credentials) }) };
}
