import authTokenFile from "../config/auth-token.yml";
import { buildLogin } from "../lib/login/build-login.ts";
import { loginSettingsSchema } from "../lib/login/login-settings.ts";

// Runs once per cold start.
const settings = loginSettingsSchema.parse(authTokenFile);

/** POST /auth-token/{appId}: who proves a login of one's own gets an auth token for the chat (docs/login.md). */
export const handler = buildLogin(() => settings);
