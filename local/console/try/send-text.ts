import { credentialsOf, readAppFields } from "../../../cli/trigger/who-acts.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { identify } from "../../../lib/events/identity.ts";
import { authorizationOf, createSender } from "../../platform/webhooks/send.ts";
import type { World } from "../../stack/world.ts";
import type { TryOutcome, TrySending, TrySent } from "../api/try.ts";
import { callLocalAws } from "../call-local-aws.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { KnownEntry } from "./list-entries.ts";
import { type RenewOptions, renewText } from "./renew.ts";

/** The platform's (docs/internals/platform/webhooks.md#transport); a cold function takes a second. */
const timeoutMs = 10_000;
/** Delivery keys remembered as sent. */
const keptKeys = 10_000;

type Send = (
  entry: KnownEntry,
  sending: Omit<TrySending, "entry">,
  /** For bodies that report other events. */
  options: () => RenewOptions,
) => Promise<TrySent>;

/**
 * With the credentials of the app's secret.
 * @returns what throws CliError, AwsCallError, InvalidSecretError if the app has no usable secret
 */
export function createTrySender({ platform, cloud, subscribe }: World): Send {
  const callAws = callLocalAws(cloud);
  const sender = lazy(createSender);
  const sentKeys = new Set<string>();
  subscribe((news) => {
    // A restored local stack has not received them.
    if (news.kind === "record" && news.record.type === "state") sentKeys.clear();
  });
  const noteSent = (key: string | undefined): boolean => {
    if (key === undefined || sentKeys.has(key)) return key !== undefined;
    if (sentKeys.size >= keptKeys) sentKeys.clear();
    sentKeys.add(key);
    return false;
  };
  const authorizationFor = async ({ family }: KnownEntry, { appId, signer }: Omit<TrySending, "entry">) => {
    if (signer === "none") return undefined;
    const fields = await readAppFields(callAws, cloud.outputs.SecretPrefix ?? "", appId);
    const { username, password } = credentialsOf(fields, family);
    return authorizationOf({ username, password: signer === "wrong" ? "not the password" : password });
  };

  return async (entry, sending, options) => {
    const { appId, text, times, isBurst, isFresh } = sending;
    const authorization = await authorizationFor(entry, sending);
    const url = `${cloud.httpUrl}/${entry.path}/${encodeURIComponent(appId)}`;
    let verdict: TrySent["verdict"];
    const sendOne = async (body: string): Promise<TryOutcome> => {
      const key = identify(parseJson(body), appId)?.key;
      const known = { key, isRepeated: noteSent(key), atMs: platform.clock.now() };
      const result = await sender().send({ url, body, authorization, timeoutMs });
      if (entry.path !== "webhooks") verdict ??= judgeAnswer(entry.path, result, platform.switches);
      const { status, error, durationMs } = result;
      return { ...known, status, error, durationMs, answer: result.text };
    };
    const bodies = Array.from({ length: times }, (_, place) =>
      isFresh && place > 0 ? renewText(text, options()) : text,
    );
    if (isBurst) return { url, sent: await Promise.all(bodies.map(sendOne)), verdict };
    const sent: TryOutcome[] = [];
    for (const body of bodies) sent.push(await sendOne(body));
    return { url, sent, verdict };
  };
}
