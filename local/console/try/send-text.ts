import { credentialsOf, readAppFields } from "../../../cli/trigger/who-acts.ts";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { identify } from "../../../lib/events/identity.ts";
import { authorizationOf, type Sender } from "../../platform/webhooks/send.ts";
import type { TryOutcome, TrySending } from "../api/try.ts";
import type { KnownEntry } from "./list-entries.ts";

/** The platform's (docs/internals/platform/webhooks.md#transport); a cold function takes a second. */
const timeoutMs = 10_000;

export interface TrySender {
  readonly callAws: AwsCaller;
  readonly sender: Sender;
  readonly secretPrefix: string;
  readonly httpUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a body that reports another event. */
  readonly renew: (text: string) => string;
  /** True if it was sent before. */
  readonly noteSent: (key: string) => boolean;
}

/**
 * With the credentials of the app's secret.
 * @throws CliError, AwsCallError, InvalidSecretError if the app has no usable secret
 */
export async function sendTried(
  entry: Pick<KnownEntry, "family" | "path">,
  { appId, text, signer, times, isBurst, isFresh }: Omit<TrySending, "entry">,
  services: TrySender,
): Promise<{
  readonly url: string;
  readonly results: readonly (TryOutcome & { readonly isTimeout: boolean })[];
}> {
  const { callAws, sender, secretPrefix, httpUrl, now, renew, noteSent } = services;
  const authorization = await authorizationFor();
  const url = `${httpUrl}/${entry.path}/${encodeURIComponent(appId)}`;
  const sendOne = async (body: string) => {
    const key = identify(parseJson(body), appId)?.key;
    const isRepeated = key !== undefined && noteSent(key);
    const atMs = now();
    const {
      status,
      error,
      durationMs,
      text: answer,
      isTimeout,
    } = await sender.send({
      ...{ url, body, authorization, timeoutMs },
    });
    return {
      ...(key !== undefined && { key }),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      ...{ atMs, durationMs, answer, isRepeated, isTimeout },
    };
  };
  const bodies = Array.from({ length: times }, (_, place) => (isFresh && place > 0 ? renew(text) : text));
  if (isBurst) return { url, results: await Promise.all(bodies.map(sendOne)) };
  const results = [];
  for (const body of bodies) results.push(await sendOne(body));
  return { url, results };

  async function authorizationFor(): Promise<string | undefined> {
    if (signer === "none") return undefined;
    const fields = await readAppFields(callAws, secretPrefix, appId);
    const { username, password } = credentialsOf(fields, entry.family);
    return authorizationOf({ username, password: signer === "wrong" ? "not the password" : password });
  }
}
