import { InvalidSecretError, type SecretFields } from "../../aws/secrets/parse-secret.ts";
import { sha256 } from "../../base/digest.ts";
import {
  digestAuthorization,
  digestCredentials,
  matchesAny,
  noCredentials,
} from "../../base/http/basic-auth.ts";
import { acceptedBySecret } from "../own/basic.ts";
import type { Auth } from "../own/request-definition.ts";

/**
 * Accepts what the platform's agent or tool was given: HTTP Basic with `agentUsername` and `agentPassword` of
 * the app's secret, or `agentKey` as `X-API-Key` or as a Bearer token. A new value is accepted within
 * seconds; the old one until the process reads the secret again (SECRET_REFRESH_SECONDS). The request fails
 * if the secret has neither.
 */
export const agentCaller: Auth<undefined> = {
  identify: async ({ headers }, tools) => {
    const { authorization, "x-api-key": apiKey } = headers;
    const [, bearer] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
    // Hashed even if missing: the time reveals nothing.
    const login = digestAuthorization(authorization) ?? noCredentials();
    const keys = [apiKey, bearer].map((key = "") => sha256(key));
    const accept = (fields: SecretFields) => {
      const accepted = acceptedIn(fields);
      const matches = [
        matchesAny(login, accepted.credentials),
        ...keys.map((key) => matchesAny(key, accepted.keys)),
      ];
      return matches.includes(true);
    };
    await acceptedBySecret(accept, authorization !== undefined || apiKey !== undefined, tools);
    return undefined;
  },
};

function acceptedIn({ optionalText }: SecretFields) {
  const [username, password, key] = ["agentUsername", "agentPassword", "agentKey"].map(optionalText);
  const hasBasic = username !== undefined && password !== undefined;
  if (!hasBasic && key === undefined) {
    throw new InvalidSecretError(
      "The app's secret has neither agentKey nor agentUsername and agentPassword: docs/functions.md#ai-agents says how to put them.",
    );
  }
  return {
    credentials: hasBasic ? [digestCredentials({ username, password })] : [],
    keys: key === undefined ? [] : [sha256(key)],
  };
}
