import authTokenFile from "../config/auth-token.yml";
import { settingsFrom } from "../lib/chat/settings-from.ts";
import { buildLogin } from "../lib/endpoints/login/log-in.ts";
import { loginSettingsSchema } from "../lib/endpoints/login/login-settings.ts";

/** POST /auth-token/{appId}: a proven login of your own for an auth token (docs/functions.md). */
export const handler = buildLogin(settingsFrom(authTokenFile, loginSettingsSchema).of);
