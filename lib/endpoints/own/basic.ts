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
import { type Auth, secretRefreshMs } from "./request-definition.ts";

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
  const expected = ({ text }: SecretFields) => ({
    username: text(fields.username),
    password: text(fields.password),
  });
  return {
    nameOf: ({ username }) => username,
    identify: async ({ headers }, { secrets, deadlineMs, note }) => {
      const presented = digestAuthorization(headers.authorization);
      const accept = (credentials: ReturnType<typeof expected>) =>
        matchesAny(presented ?? noCredentials(), [digestCredentials(credentials)]) ? credentials : undefined;

      const caller =
        accept(expected(await secrets.get(deadlineMs))) ??
        (presented && accept(expected(await secrets.refresh(secretRefreshMs, deadlineMs))));
      if (presented !== undefined && caller !== undefined) return { username: caller.username };
      note(presented === undefined ? "no-credentials" : "wrong-credentials");
      throw unknownCaller("Basic");
    },
  };
}
