import { countOf } from "../../lib/base/count-of.ts";
import { CliError } from "../cli-error.ts";
import type { AwsCredentials } from "./clients.ts";
import type { ResolvedCredentials } from "./resolve-credentials.ts";

/** As the SDK's own clients renew them. */
const renewalMs = 5 * 60_000;

/**
 * Resolved once, renewed before its credentials end, and of one account throughout.
 * @param now Milliseconds since 1970.
 */
export async function openIdentity(
  resolve: () => Promise<ResolvedCredentials>,
  askCaller: (credentials: AwsCredentials) => Promise<{ readonly accountId: string; readonly arn: string }>,
  now: () => number,
) {
  const resolved = await resolve();
  const { source } = resolved;
  let current = resolved.credentials;
  const caller = await askCaller(current);
  const compare = async (credentials: AwsCredentials) => {
    const { accountId } = await askCaller(credentials);
    if (accountId === caller.accountId) return;
    throw new CliError(
      "refused",
      "OTHER_ACCOUNT",
      `The credentials (${source}) belonged to account ${caller.accountId} at the start, and belong to ${accountId} now. Stopped here.`,
      "Check which account this shell must act in, and run this again.",
    );
  };
  const renew = async () => {
    const { credentials } = await resolve();
    if (credentials.accessKeyId !== current.accessKeyId) await compare(credentials);
    current = credentials;
  };
  const leftMs = () => (current.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - now();
  let renewal: Promise<void> | undefined;
  const renewIfLess = async (minimumMs: number) => {
    if (leftMs() >= minimumMs) return;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    await renewal;
  };
  return {
    ...caller,
    source,
    /** @throws CliError if renewed credentials belong to another account */
    credentials: async (): Promise<AwsCredentials> => {
      await renewIfLess(renewalMs);
      return current;
    },
    /**
     * AWS confirms their account again.
     * @throws CliError if they end within `minimumMs` although renewed, or belong to another account
     */
    prove: async (minimumMs: number): Promise<AwsCredentials> => {
      await renewIfLess(minimumMs);
      if (leftMs() < minimumMs) throw endsSoon(source, leftMs(), minimumMs);
      await compare(current);
      return current;
    },
  };
}

function endsSoon(source: string, leftMs: number, minimumMs: number): CliError {
  const minutes = Math.max(0, Math.floor(leftMs / 60_000));
  return new CliError(
    "refused",
    "CREDENTIALS_END",
    `The credentials (${source}) end in ${countOf(minutes, "minute")}, and this may take ${minimumMs / 60_000}. Stopped before the next change.`,
    "Get new ones (`aws sso login`, or the program that set the variables), and run this again. If a role's sessions are too short, raise duration_seconds in its profile.",
  );
}
