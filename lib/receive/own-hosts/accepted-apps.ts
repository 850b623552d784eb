import * as z from "zod/mini";
import { createCached } from "../../base/cached.ts";
import { OwnError } from "../../base/errors.ts";
import { type BasicCredentials, digestCredentials } from "../../base/http/basic-auth.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { lazy } from "../../base/lazy.ts";
import { usualSecretAges } from "../../base/secret-ages.ts";
import { checkCall } from "../../chat/check-call.ts";
import type { EventFamily } from "../../events/identity.ts";
import { beforeDeadline, DeadlinePassedError } from "../before-deadline.ts";
import type { ServedApps } from "../verify-sender.ts";
import type { AcceptedSenders, WebhookCredentials } from "../webhook-credentials.ts";

/** Credentials and signing keys of an app's deliveries. */
export interface WebhookAccess {
  /** At least one; several while a password is replaced. */
  readonly credentials: readonly AcceptedCredentials[];
  /**
   * Checked if a signature is present, never required (docs/internals/platform/webhooks.md#signature).
   * Default: none.
   */
  readonly signingKeys?: readonly string[];
}

/** Credentials of some families of deliveries. */
export interface AcceptedCredentials extends BasicCredentials {
  /** Valid for these deliveries. Default: all. */
  readonly families?: readonly EventFamily[];
  /** True while being replaced: the log reports their use. */
  readonly isReplaced?: boolean;
}

/**
 * Returns an app's credentials. Called at the first delivery, every three minutes, and after wrong
 * credentials at most every five seconds. After a failure, the last result is valid for twelve hours. A
 * delivery waits 1.3 s for it; the next one uses a later result, for 30 s.
 */
export type WebhookAccessSource = () => WebhookAccess | Promise<WebhookAccess>;

/** Thrown for missing or empty credentials or keys. Never quotes a password. */
export class WebhookAccessError extends OwnError {
  override readonly name = "WebhookAccessError";
}

/**
 * Checks a source's result when it is read.
 * @throws WebhookAccessError without apps, or an app without credentials, InvalidInputError if it is neither
 * credentials nor a source
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
  let reading: { readonly access: Promise<WebhookAccess>; readonly begunAt: number } | undefined;
  const load = async (deadlineMs: number) => {
    if (reading === undefined || now() - reading.begunAt > longestReadMs)
      reading = { access: (async () => await read())(), begunAt: now() };
    let isLate = false;
    try {
      return digestAccess(appId, await beforeDeadline(reading.access, deadlineMs, now));
    } catch (error) {
      isLate = error instanceof DeadlinePassedError;
      throw error;
    } finally {
      if (!isLate) reading = undefined;
    }
  };
  return createCached({ load, ages: usualSecretAges, now });
}

const longestReadMs = 30_000;

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
  if (credentials.length === 0) throw wrong("has no credentials. Every delivery needs some.");
  if (signingKeys.some((key) => !key)) throw wrong("has an empty signing key.");
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
