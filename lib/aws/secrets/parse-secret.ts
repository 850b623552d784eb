import { OwnError } from "../../base/errors.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { rememberSecret } from "../../base/known-secrets.ts";

/** The message names the secret and the field. */
export class InvalidSecretError extends OwnError {
  override readonly name = "InvalidSecretError";
}

/** Methods throw InvalidSecretError. */
export interface SecretFields {
  /** Returns a required, non-empty text. */
  text(field: string): string;
  /** Returns undefined if absent or empty. Throws if it is not text. */
  optionalText(field: string): string | undefined;
}

/**
 * Parses a secret and hides its values from logs. @throws InvalidSecretError if the value is not a JSON
 * object
 */
export function parseSecret(secretId: string, value: unknown): SecretFields {
  const fields = new Map(Object.entries(parseObject(secretId, value)));
  hideValues(fields);
  return readersOf(secretId, fields);
}

/** Parses a secret without hiding its values: the process must log none. */
export function readSecretFields(secretId: string, value: unknown): SecretFields {
  return readersOf(secretId, new Map(Object.entries(parseObject(secretId, value))));
}

/** Returns all fields, or none if the value is not a JSON object. Hides nothing. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  const parsed = parseJson(String(value));
  return isRecord(parsed) ? parsed : {};
}

function readersOf(secretId: string, fields: ReadonlyMap<string, unknown>): SecretFields {
  return {
    text: (field) => {
      const text = fields.get(field);
      if (typeof text === "string" && text !== "") return text;
      throw new InvalidSecretError(
        `Secret ${secretId} has no text in "${field}". Put the value there; docs/deploy.md says how.`,
      );
    },
    optionalText: (field) => {
      const text = fields.get(field) ?? "";
      if (typeof text === "string") return text === "" ? undefined : text;
      throw new InvalidSecretError(`Secret ${secretId} has something else than text in "${field}".`);
    },
  };
}

/** Returns true for names, expiry times and choices. */
export function isOpenField(name: string): boolean {
  return /^(appId|region|rotating|takingBack|webhookSignature|replaced\w+Until|\w*[uU]sername)$/.test(name);
}

function hideValues(fields: ReadonlyMap<string, unknown>): void {
  for (const [field, value] of fields) {
    if (typeof value !== "string" || isOpenField(field)) continue;
    rememberSecret(value);
    // Several keys, if a rotation began within the overlap of the last.
    if (field === "replacedApiKey") for (const key of value.split(" ")) rememberSecret(key);
    // The form in an `Authorization` header.
    const username = fields.get(field.replace(/Password$/, "Username"));
    if (typeof username === "string") {
      rememberSecret(Buffer.from(`${username}:${value}`, "utf8").toString("base64"));
    }
  }
}

function parseObject(secretId: string, value: unknown): object {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (isRecord(parsed)) return parsed;
  throw new InvalidSecretError(`Secret ${secretId} is not a JSON object: see docs/deploy.md.`);
}

/**
 * Finds what was pasted by mistake: a blank or line break.
 * @returns undefined if the text can be stored
 */
export function problemOfText(field: string, text: string): string | undefined {
  if (text !== text.trim()) return `Its "${field}" begins or ends with a blank.`;
  if (/\p{Cc}/u.test(text)) return `Its "${field}" has a line break or another control character.`;
  // RFC 7617: the first colon ends the user name.
  if (/[uU]sername$/.test(field) && text.includes(":")) return `Its "${field}" has a colon.`;
  return undefined;
}

const systemFields =
  /^(appId|region|apiKey|webhookSecret|webhookSignature|rotating|takingBack|agent(Username|Password|Key)|replaced(ApiKey|WebhookPassword)(Until)?|(webhook|legacy|bot|notification|extension|moderation)(Username|Password))$/;

/**
 * Returns whether a field of an app's secret is the system's own (docs/deploy.md#the-apps-secrets): triggers,
 * flows and functions cannot read, send or sign with it.
 */
export function isSystemField(name: string): boolean {
  return systemFields.test(name);
}

/** See docs/deploy.md#the-apps-secrets. */
export function isWebhookField(name: string): boolean {
  return isSystemField(name) && !/^(appId|region|apiKey|rotating|takingBack|replacedApiKey|agent)/.test(name);
}

/** True if the secret has the family's own credentials. Otherwise the webhook's apply. */
export const ownCredentialsIn = (textOf: (field: string) => string | undefined) => (family: string) =>
  (textOf(`${family}Username`) ?? textOf(`${family}Password`)) !== undefined;
