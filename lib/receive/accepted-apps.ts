import * as z from "zod/mini";
import { createCached } from "../base/cached.ts";
import { type BasicCredentials, digestCredentials } from "../base/http/basic-auth.ts";
import { rememberSecret } from "../base/known-secrets.ts";
import { lazy } from "../base/lazy.ts";
import { usualSecretAges } from "../base/secret-ages.ts";
import { checkCall } from "../chat/check-call.ts";
import type { EventFamily } from "../events/identity.ts";
import { beforeDeadline } from "./before-deadline.ts";
import type { ServedApps } from "./verify-sender.ts";
import type { AcceptedSenders, WebhookCredentials } from "./webhook-credentials.ts";

/** What lets an app's deliveries in. */
export interface WebhookAccess {
  /** At least one. Several are accepted side by side while a password is replaced. */
  readonly credentials: readonly AcceptedCredentials[];
  /**
   * Keys that a signature may be made with. It is looked at where it is there, and never asked for
   * (docs/platform/webhooks.md#signature). Default: none.
   */
  readonly signingKeys?: readonly string[];
}

/** A pair that lets deliveries in, and which deliveries those are. */
export interface AcceptedCredentials extends BasicCredentials {
  /** Which deliveries they are good for. Default: all. */
  readonly families?: readonly EventFamily[];
  /** True for those on their way out: the log tells when the platform uses them still. */
  readonly isReplaced?: boolean;
}

/**
 * Reads what lets an app's deliveries in, such as from a store of secrets: at the first delivery, every three minutes, and
 * for credentials that do not fit at most every five seconds. While it fails, what it gave last counts for twelve hours.
 */
export type WebhookAccessSource = () => WebhookAccess | Promise<WebhookAccess>;

/** Thrown for a receiver that would let nobody in, or anybody. Never quotes a password. */
export class WebhookAccessError extends Error {
  override readonly name = "WebhookAccessError";
}

/**
 * Makes the apps that a receiver knows.
 * @throws WebhookAccessError without an app, and for an app without credentials, InvalidInputError for what is neither
 * credentials nor a source; a source's are looked at when they are read
 */
export function createAcceptedApps(
  apps: Readonly<Record<string, WebhookAccess | WebhookAccessSource>>,
  now: () => number,
): ServedApps {
  checkCall("createWebhookReceiver", "apps", appsSchema(), apps ?? {});
  const entries = Object.entries(apps ?? {});
  if (entries.length === 0) throw new WebhookAccessError("A receiver needs an app: `apps` names none.");
  return new Map(
    entries.map(([appId, access]) => {
      if (appId === "") throw new WebhookAccessError("An app's id is empty: `apps` has the platform's ids.");
      return [
        appId,
        typeof access === "function" ? fromSource(appId, access, now) : fixed(digestAccess(appId, access)),
      ];
    }),
  );
}

function fixed(accepted: AcceptedSenders): WebhookCredentials {
  const get = async () => accepted;
  return { get, refresh: get };
}

function fromSource(appId: string, read: WebhookAccessSource, now: () => number): WebhookCredentials {
  const load = async (deadlineMs: number) =>
    digestAccess(appId, await beforeDeadline((async () => await read())(), deadlineMs, now));
  return createCached({ load, ages: usualSecretAges, now });
}

const everyFamily: readonly EventFamily[] = ["webhook", "legacy", "bot", "notification", "extension"];

const appsSchema = /* @__PURE__ */ lazy(() =>
  z.record(
    z.string(),
    z.custom<unknown>(
      (value) => Object(value) === value && !Array.isArray(value),
      "{ credentials }, or a function that gives it",
    ),
  ),
);

const accessSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    credentials: z.optional(
      z.array(
        z.strictObject({
          username: z.optional(z.string()),
          password: z.optional(z.string()),
          families: z.optional(z.array(z.enum(everyFamily))),
          isReplaced: z.optional(z.boolean()),
        }),
      ),
    ),
    signingKeys: z.optional(z.array(z.optional(z.string()))),
  }),
);

function digestAccess(appId: string, access: WebhookAccess | undefined): AcceptedSenders {
  checkCall("createWebhookReceiver", `apps.${appId}`, accessSchema(), access ?? {});
  const { credentials = [], signingKeys = [] } = access ?? {};
  const wrong = (what: string) => new WebhookAccessError(`The app "${appId}" ${what}`);
  if (credentials.length === 0) throw wrong("has no credentials: nothing may get in without.");
  if (signingKeys.some((key) => !key)) throw wrong("has an empty signing key, which anybody knows.");
  for (const { username, password } of credentials) {
    if (!username || !password) throw wrong("has credentials whose username or password is empty.");
    if (username.includes(":")) throw wrong("has a username with a colon, which HTTP Basic cannot carry.");
    rememberSecret(password);
  }
  signingKeys.forEach(rememberSecret);
  return {
    senders: credentials.map(({ families = everyFamily, isReplaced, ...pair }) => ({
      digest: digestCredentials(pair),
      families,
      ...(isReplaced === true && { isReplaced }),
    })),
    signingKeys,
  };
}
