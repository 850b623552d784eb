import authTokenFile from "../config/auth-token.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { buildLogin } from "../lib/endpoints/login/log-in.ts";

/** POST /auth-token/{appId}: a proven login of your own for an auth token (docs/functions.md). */
export const handler = buildLogin(checkedSettings(authTokenFile).of);
