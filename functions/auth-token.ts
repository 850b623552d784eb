import authTokenFile from "../config/auth-token.yml";
import { buildLogin } from "../lib/login/build-login.ts";
import { loginSettingsSchema } from "../lib/login/login-settings.ts";
import { settingsFrom } from "../lib/settings/settings-from.ts";

/** POST /auth-token/{appId}: who proves a login of one's own gets an auth token for the chat (docs/login.md). */
export const handler = buildLogin(settingsFrom(authTokenFile, loginSettingsSchema).of);
