import * as z from "zod/mini";
import { plainUrlOf } from "../../../receive/webhook-url.ts";
import type { DeploymentFacts } from "../define-subject.ts";
import { notShown } from "../secret-places.ts";
import { orSecret, secretReferenceSchema } from "../secret-reference.ts";
import type { Fields } from "../thing.ts";

/** The emulation also calls this machine. */
function calledUrl(maxLength: number) {
  const pattern = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])\S+$/;
  const rule = "expected an address that begins with https:// (or with http://127.0.0.1, on the local stack)";
  return z.string().check(z.regex(pattern, rule), z.maxLength(maxLength));
}

export const urlOrSecret = (maxLength = 3_000) => orSecret(calledUrl(maxLength));

/** The platform's form differs by kind; files have an object. */
export const headersSchema = () => z.record(z.string().check(z.minLength(1)), orSecret(z.string()));

/** With which the platform calls an address. */
export const callerSchema = {
  /** Default: this deployment's, with the credentials of the app's secret. */
  url: z.optional(urlOrSecret(255)),
  /** For another address. */
  credentials: z.optional(
    z.strictObject({
      username: orSecret(z.string().check(z.minLength(1))),
      password: secretReferenceSchema,
    }),
  ),
};

interface DeclaredCaller {
  readonly url?: unknown;
  readonly credentials?: Fields | undefined;
}

/**
 * By the platform's names; empty if no credentials are declared.
 * @param family whose own credentials apply here, if the app's secret has them
 */
export function credentialsOf(
  { url, credentials }: DeclaredCaller,
  family: { unlessOwn?: "bot" } = {},
): Fields {
  if (credentials !== undefined) return { useBasicAuth: true, ...credentials };
  if (url !== undefined) return {};
  return {
    useBasicAuth: true,
    username: { secret: "webhookUsername", ...family },
    password: { secret: "webhookPassword", ...family },
  };
}

export function isOurs({ webhookURL }: Fields, { webhookUrl }: DeploymentFacts): boolean {
  return webhookUrl !== undefined && plainUrlOf(String(webhookURL)) === plainUrlOf(webhookUrl);
}

export function credentialsToWrite({ useBasicAuth, username, password = notShown }: Fields): Fields {
  if (useBasicAuth !== true || typeof username !== "string" || username === "") return {};
  return { credentials: { username, password } };
}
