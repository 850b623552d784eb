import * as z from "zod/mini";
import { isSystemField, type SecretFields } from "../../aws/secrets/parse-secret.ts";
import {
  digestAuthorization,
  digestCredentials,
  matchesAny,
  noCredentials,
} from "../../base/http/basic-auth.ts";
import { checkCall } from "../../chat/check-call.ts";
import { unknownCaller } from "./refusal.ts";
import { type Auth, type AuthTools, secretRefreshMs } from "./request-definition.ts";

/** Fields of the app's secret. */
interface BasicFields {
  readonly username: string;
  readonly password: string;
}

/**
 * Accepts callers by HTTP Basic with a user name and password from these fields of the app's secret. Changes
 * apply immediately; old credentials are refused. The request fails if the fields are missing or unreadable.
 * @throws InvalidInputError for invalid or unknown names, and the system's own fields
 */
export function basic(fields: BasicFields): Auth<{ readonly username: string }> {
  const name = z.string().check(
    z.minLength(1),
    z.refine((field) => !isSystemField(field), { message: "a field of your own" }),
  );
  checkCall("basic", "fields", z.strictObject({ username: name, password: name }), fields);
  return {
    nameOf: ({ username }) => username,
    identify: async ({ headers }, tools) => {
      const presented = digestAuthorization(headers.authorization);
      const accept = ({ text }: SecretFields) => {
        const [username, password] = [text(fields.username), text(fields.password)];
        const accepted = [digestCredentials({ username, password })];
        return matchesAny(presented ?? noCredentials(), accepted) && { username };
      };
      return acceptedBySecret(accept, presented !== undefined, tools);
    },
  };
}

/** @throws RefusedRequestError */
export async function acceptedBySecret<Caller>(
  accept: (fields: SecretFields) => Caller | false,
  hasCredentials: boolean,
  { secrets, deadlineMs, note }: AuthTools,
): Promise<Caller> {
  let caller = accept(await secrets.get(deadlineMs));
  if (caller === false && hasCredentials) caller = accept(await secrets.refresh(secretRefreshMs, deadlineMs));
  if (caller !== false && hasCredentials) return caller;
  note(hasCredentials ? "wrong-credentials" : "no-credentials");
  throw unknownCaller("Basic");
}
