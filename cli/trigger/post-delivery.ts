import { basicAuthorization } from "../../lib/base/http/basic-authorization.ts";
import { CliError } from "../cli-error.ts";

/** A cold start takes a second; the machine may be far away. */
const timeoutMs = 10_000;

export interface PostedDelivery {
  readonly status: number;
  readonly body: string;
}

/**
 * @see docs/internals/platform/webhooks.md#transport
 * @throws CliError if there is no answer, or the credentials are refused
 */
export async function postDelivery(
  url: string,
  body: unknown,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<PostedDelivery> {
  const authorization = basicAuthorization(username, password);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new CliError(
      "unreachable",
      "NO_ANSWER",
      `The receiver at ${url} gave no answer.`,
      "Check that it is deployed and reachable: npx cometchat-functions doctor.",
      cause,
    );
  });
  if (answer.status === 401) {
    throw new CliError(
      "noRights",
      "DELIVERY_REFUSED",
      `The receiver at ${url} refuses the credentials of the app's secret.`,
      "A warm receiver may use older ones for some minutes; see npx cometchat-functions doctor.",
    );
  }
  return { status: answer.status, body: (await answer.text()).slice(0, 2_000) };
}
