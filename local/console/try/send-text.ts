import { randomInt } from "node:crypto";
import * as z from "zod/mini";
import { credentialsOf, readAppFields } from "../../../cli/target/app-fields.ts";
import { freshDelivery } from "../../../cli/trigger/fresh-delivery.ts";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { identify } from "../../../lib/events/identity.ts";
import type { Switches } from "../../platform/services/switches.ts";
import { authorizationOf, createSender, isSuccess, type SendResult } from "../../platform/webhooks/send.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { TryOutcome, TrySent } from "../api/try.ts";
import type { KnownEntry } from "./list-entries.ts";

/** The platform's timeout (docs/internals/platform/webhooks.md#transport); a cold function takes a second. */
const timeoutMs = 10_000;

/** Slightly more than the receiver accepts, to see its refusal. */
export const aBody = z.string().check(z.maxLength(12_000_000));
export const anAppId = z.string().check(z.maxLength(200));

export const sendingSchema = z.object({
  appId: anAppId,
  entry: z.string(),
  text: aBody,
  signer: z.enum(["right", "wrong", "none"]),
  times: z.int().check(z.minimum(1), z.maximum(100)),
  isBurst: z.boolean(),
  /** New ids for each delivery; otherwise, all report one event. */
  isFresh: z.boolean(),
});

type Sending = z.output<typeof sendingSchema>;

type Send = (entry: KnownEntry, sending: Sending, options: () => RenewOptions) => Promise<TrySent>;

/** Creates a sender. It throws CliError, AwsCallError, InvalidSecretError if the app has no usable secret. */
export function createTrySender({ platform, cloud }: LocalStack, callAws: AwsCaller): Send {
  const sender = lazy(createSender);
  const authorizationFor = async ({ family }: KnownEntry, { appId, signer }: Sending) => {
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
      const known = { key, atMs: platform.clock.now() };
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

type Verdict = NonNullable<TrySent["verdict"]>;

const moderationSchema = z.object({
  isMatchingCondition: z.boolean(),
  confidence: z.number().check(z.gte(0), z.lte(1)),
});

/**
 * @see docs/internals/platform/legacy-engine.md#before-a-message,
 * docs/internals/platform/moderation.md#answering-the-custom-api
 */
function judgeAnswer(
  path: "before-message" | "moderation",
  { status, text }: SendResult,
  { beforeMessageFailure }: Switches,
): Verdict {
  const answer = status !== undefined && isSuccess(status) ? parseJson(text) : undefined;
  if (path === "moderation") {
    const { success, data } = moderationSchema.safeParse(answer);
    if (!success)
      return { tone: "waiting", words: "This is a failure, and the service's setting for errors applies." };
    if (!data.isMatchingCondition)
      return { tone: "good", words: "It does not match: the rule lets the message pass." };
    const then = "A rule with a lower threshold applies its action, such as blocking.";
    return { tone: "bad", words: `It matches with ${Math.round(data.confidence * 100)} %. ${then}` };
  }
  if (!isRecord(answer)) {
    const isDropped = beforeMessageFailure === "drop";
    const then = isDropped ? "dropped, as set by the switch beforeMessageFailure" : "stored unchanged";
    return { tone: isDropped ? "bad" : "waiting", words: `Without a valid answer, the message is ${then}.` };
  }
  if (answer.action === "do_not_propagate")
    return { tone: "bad", words: "The message is dropped; its sender gets ERR_BLOCKED_BY_WEBHOOK." };
  const isEmpty = Object.keys(answer).length === 0;
  const how = isEmpty ? " unchanged" : ", with this answer under metadata.@injected.webhooks";
  return { tone: "good", words: `The message is stored${how}.` };
}

export interface RenewOptions {
  readonly appId: string;
  readonly region: string;
  readonly nowMs: number;
}

export function renewBody(
  body: Readonly<Record<string, unknown>>,
  options: RenewOptions,
): Record<string, unknown> {
  return freshDelivery(body, { ...options, newId: newIdLike });
}

function renewText(text: string, options: RenewOptions) {
  const body = parseJson(text);
  return isRecord(body) ? JSON.stringify(renewBody(body, options), undefined, 2) : text;
}

/** Returns a new id, small enough for the platform to continue. */
function newIdLike(old: string) {
  const digits = randomInt(100_000_000, 1_000_000_000);
  return /^\d+$/.test(old)
    ? String(digits)
    : `${old.replace(/-[0-9a-z]{6}$/, "")}-${digits.toString(36).padStart(6, "0").slice(-6)}`;
}
