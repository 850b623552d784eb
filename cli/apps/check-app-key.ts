import { composeChatClient } from "../../lib/chat/compose.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";
import { users } from "../../lib/chat/resources/users.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { AppAccess } from "./app-secret.ts";

/**
 * Makes one read call to prove that the app exists in the region, that the key is accepted, and that its
 * scope is fullAccess: a smaller scope may not read users
 * (docs/internals/platform/addressing-and-keys.md#scopes-of-keys). May be repeated.
 * @throws CliError that says which of them is wrong; ChatApiError, ChatUnreachableError for anything else
 */
export async function checkAppKey(access: AppAccess, baseUrlTemplate: string | undefined): Promise<void> {
  const { appId, region } = access;
  const chat = composeChatClient({ ...access, baseUrlTemplate }, { users });
  try {
    await chat.users.list({ perPage: 1 }).page();
  } catch (error) {
    const facts = error instanceof ChatApiError ? refusals[error.code] : undefined;
    if (facts === undefined) throw error;
    throw new CliError(facts.message(appId, region), {
      code: facts.code,
      exitCode: facts.exitCode,
      hint: facts.hint,
    });
  }
}

const keyHint =
  "Take the app's REST API key (scope fullAccess) from the platform's dashboard, under API & Auth Keys. An Auth Key does not work.";

const refusals: Readonly<
  Record<
    string,
    {
      readonly code: string;
      readonly exitCode: typeof exitCodes.wrongUse | typeof exitCodes.noRights;
      readonly message: (appId: string, region: string) => string;
      readonly hint: string;
    }
  >
> = {
  AUTH_ERR_INVALID_APPID: {
    code: "NO_SUCH_APP",
    exitCode: exitCodes.wrongUse,
    message: (appId, region) => `The platform has no app ${appId} in the region ${region}.`,
    hint: "Compare id and region with the platform's dashboard; the region is us, eu or in.",
  },
  AUTH_ERR_APIKEY_NOT_FOUND: {
    code: "KEY_REFUSED",
    exitCode: exitCodes.noRights,
    message: (appId) =>
      `The platform does not accept the key for the app ${appId}: it belongs to another app, or was revoked.`,
    hint: keyHint,
  },
  AUTH_ERR_NO_ACCESS: {
    code: "KEY_TOO_WEAK",
    exitCode: exitCodes.noRights,
    message: (appId) => `The key of the app ${appId} has too small a scope: it must be fullAccess.`,
    hint: keyHint,
  },
};
