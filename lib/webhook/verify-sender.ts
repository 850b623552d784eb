import { digestCredentials, matchesAny, parseBasicAuthorization } from "../http/basic-auth.ts";
import type { HttpRequest } from "../http/lambda.ts";
import type { WebhookCredentials } from "../secrets/webhook-credentials.ts";

/** The credentials of each app that this deployment serves, by app id. Must not be empty. */
export type ServedApps = ReadonlyMap<string, WebhookCredentials>;

/** Credentials that do not fit are looked up anew at most this often, in case they have just been rotated. */
const refreshAfterMs = 10_000;

/** Nobody knows credentials with this digest. */
const nobody = Buffer.alloc(32);

/**
 * Tells which app sent a request, or gives undefined: unknown app, missing, malformed or wrong credentials alike.
 * The body is not looked at. An unknown app walks the same road with another app's credentials and is then refused,
 * so that time tells nothing about which apps are served.
 * @throws what reading the credentials throws, when they cannot be read
 */
export async function verifySender(request: HttpRequest, apps: ServedApps): Promise<string | undefined> {
  const appId = request.pathParameters.appId ?? "";
  const credentials = apps.get(appId) ?? firstOf(apps);
  const presented = parseBasicAuthorization(request.headers.authorization);
  const digest = presented === undefined ? nobody : digestCredentials(presented);

  const isMatch =
    matchesAny(digest, await credentials.get()) ||
    matchesAny(digest, await credentials.refresh(refreshAfterMs));
  return isMatch && presented !== undefined && apps.has(appId) ? appId : undefined;
}

function firstOf(apps: ServedApps): WebhookCredentials {
  const [first] = apps.values();
  if (first === undefined)
    throw new Error("CHAT_APP_IDS names no app: set it to the apps this deployment serves.");
  return first;
}
