import { readRegion } from "../../lib/chat/address.ts";
import { composeChatClient } from "../../lib/chat/compose.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";
import { users } from "../../lib/chat/resources/users.ts";
import { CliError } from "../cli-error.ts";
import type { AppAccess } from "./app-secret.ts";

const keyHint =
  "Take the app's REST API key (scope fullAccess) from the platform's dashboard, under API & Auth Keys. An Auth Key does not work.";

/**
 * Proves by one read that the app exists in the region and that the key is accepted, with the scope
 * fullAccess: a smaller one may not read users
 * (docs/internals/platform/addressing-and-keys.md#scopes-of-keys). May be repeated.
 * @throws CliError that says which of them is wrong; ChatApiError, ChatUnreachableError for anything else
 */
export async function checkAppKey(access: AppAccess, baseUrlTemplate: string | undefined): Promise<void> {
  const { appId, region } = access;
  const refusals: Readonly<Record<string, ConstructorParameters<typeof CliError>>> = {
    AUTH_ERR_INVALID_APPID: [
      "wrongUse",
      "NO_SUCH_APP",
      `The platform has no app ${appId} in the region ${region}.`,
      "Compare id and region with the platform's dashboard; the region is us, eu or in.",
    ],
    AUTH_ERR_APIKEY_NOT_FOUND: [
      "noRights",
      "KEY_REFUSED",
      `The platform does not accept the key for the app ${appId}: it belongs to another app, or was revoked.`,
      keyHint,
    ],
    AUTH_ERR_NO_ACCESS: [
      "noRights",
      "KEY_TOO_WEAK",
      `The key of the app ${appId} has too small a scope: it must be fullAccess.`,
      keyHint,
    ],
  };
  try {
    await composeChatClient({ ...access, region: readRegion(region), baseUrlTemplate }, { users })
      .users.list({ perPage: 1 })
      .page();
  } catch (error) {
    const refusal = error instanceof ChatApiError ? refusals[error.code] : undefined;
    throw refusal === undefined ? error : new CliError(...refusal);
  }
}
