import * as z from "zod/mini";
import type { SecretFields } from "../../aws/secrets/parse-secret.ts";
import { digestAuthorization, digestCredentials, matchesAny } from "../../base/http/basic-auth.ts";
import { checkCall } from "../../chat/check-call.ts";
import { type Auth, lookAgainMs } from "./auth.ts";
import { unknownCaller } from "./refusal.ts";

/** Which fields of the app's secret hold what callers must present. */
export interface BasicFields {
  readonly username: string;
  readonly password: string;
}

/** Nobody knows credentials with this digest. */
const nobody = Buffer.alloc(32);

/**
 * Lets in who presents a user name and a password (HTTP Basic) that stand in the app's secret, in fields of these names.
 * Whoever changes them there is understood at once; the former ones are refused from then on. A secret that
 * lacks the fields, or cannot be read, fails the request.
 * @throws InvalidInputError for names that are none, and for one that is not known
 */
export function basic(fields: BasicFields): Auth<{ readonly username: string }> {
  const name = z.string().check(z.minLength(1));
  checkCall("basic", "fields", z.strictObject({ username: name, password: name }), fields);
  const expected = ({ text }: SecretFields) => ({
    username: text(fields.username),
    password: text(fields.password),
  });
  return {
    identify: async ({ headers }, { secrets, deadlineMs, note }) => {
      const presented = digestAuthorization(headers.authorization);
      const accept = (credentials: ReturnType<typeof expected>) =>
        matchesAny(presented ?? nobody, [digestCredentials(credentials)]) ? credentials : undefined;

      const caller =
        accept(expected(await secrets.get(deadlineMs))) ??
        accept(expected(await secrets.refresh(lookAgainMs, deadlineMs)));
      if (presented !== undefined && caller !== undefined) return { username: caller.username };
      note(presented === undefined ? "no-credentials" : "wrong-credentials");
      throw unknownCaller("Basic");
    },
  };
}
