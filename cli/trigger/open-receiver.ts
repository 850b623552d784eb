import { basicAuthorization } from "../../lib/base/http/basic-authorization.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError, noRights } from "../cli-error.ts";
import { credentialsOf, readAppFields } from "../target/app-fields.ts";
import type { Target } from "../target/target.ts";

/** A cold start takes a second; the machine may be far. */
const timeoutMs = 10_000;

export async function openReceiver({ callAws, stack }: Target, appId: string) {
  const { output } = await stack();
  const secret = await readAppFields(callAws, output("SecretPrefix"), appId);
  const webhookUrl = webhookUrlOf(output("HttpApiUrl"), appId);
  return {
    region: secret.text("region"),
    send: (body: unknown, family: string, url = webhookUrl) =>
      postDelivery(url, body, credentialsOf(secret, family)),
    questionUrl: `${output("HttpApiUrl")}/before-message/${encodeURIComponent(appId)}`,
  };
}

/**
 * @see docs/internals/platform/webhooks.md#transport
 * @throws CliError without an answer, or if the credentials are refused
 */
async function postDelivery(
  url: string,
  body: unknown,
  { username, password }: { readonly username: string; readonly password: string },
) {
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
      "Check that it is deployed and reachable: npx cometchat-functions doctor",
      cause,
    );
  });
  if (answer.status === 401) {
    throw noRights(
      "DELIVERY_REFUSED",
      `The receiver at ${url} refuses the credentials of the app's webhook secret.`,
      "A warm receiver may use older ones for some minutes. Check them: npx cometchat-functions doctor",
    );
  }
  return { status: answer.status, answer: (await answer.text()).slice(0, 2_000) };
}
