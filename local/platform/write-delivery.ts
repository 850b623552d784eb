import { authorizationOf, type Credentials, outgoingHeaders } from "./webhooks/send.ts";

/** Sends a POST by the platform's own code. */
export function writeDelivery(
  body: string,
  credentials: Credentials,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  return { body, headers: outgoingHeaders({ body, authorization: authorizationOf(credentials) }) };
}
