import { InvalidSecretError, type SecretFields } from "../../aws/secrets/parse-secret.ts";
import { sha256 } from "../../base/digest.ts";
import { digestAuthorization, digestCredentials, matchesAny } from "../../base/http/basic-auth.ts";
import { type Auth, lookAgainMs } from "../own/auth.ts";
import { unknownCaller } from "../own/refusal.ts";

/**
 * Accepts the platform, which calls with what its agent or tool was given: HTTP Basic with `agentUsername`
 * and `agentPassword` of the app's secret, or `agentKey` as `X-API-Key` or as a Bearer token. Changes apply
 * within seconds; what was replaced is refused. The request fails if the secret has neither.
 */
export const agentCaller: Auth<undefined> = {
  identify: async ({ headers }, { secrets, deadlineMs, note }) => {
    const { authorization, "x-api-key": apiKey } = headers;
    const [, bearer] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
    const key = apiKey ?? bearer;
    // Hashed even if missing, so that the time says nothing.
    const presented = [digestAuthorization(authorization) ?? nobody, sha256(key ?? "")] as const;
    const accept = (fields: SecretFields) => {
      const accepted = acceptedIn(fields);
      const isBasic = matchesAny(presented[0], accepted.credentials);
      return matchesAny(presented[1], accepted.keys) || isBasic;
    };
    if (accept(await secrets.get(deadlineMs))) return undefined;
    if (accept(await secrets.refresh(lookAgainMs, deadlineMs))) return undefined;
    note(authorization === undefined && key === undefined ? "no-credentials" : "wrong-credentials");
    throw unknownCaller("Basic");
  },
};

const nobody = Buffer.alloc(32);

function acceptedIn({ optionalText }: SecretFields) {
  const [username, password, key] = ["agentUsername", "agentPassword", "agentKey"].map(optionalText);
  const hasBasic = username !== undefined && password !== undefined;
  if (!hasBasic && key === undefined) {
    throw new InvalidSecretError(
      "The app's secret has neither agentKey nor agentUsername and agentPassword: docs/agents.md says how to put them.",
    );
  }
  return {
    credentials: hasBasic ? [digestCredentials({ username, password })] : [],
    keys: key === undefined ? [] : [sha256(key)],
  };
}
