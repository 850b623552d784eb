import { isRecord, parseJson } from "../../base/json.ts";
import { rememberSecret } from "../../base/known-secrets.ts";

/** Thrown when a secret's value is not what its reader needs; names the secret and the field, never a value. */
export class InvalidSecretError extends Error {
  override readonly name = "InvalidSecretError";
}

/** The text fields of a secret, read by name. Both throw InvalidSecretError, naming the secret and the field. */
export interface SecretFields {
  /** Gives a field that must be there: a text that is not empty. */
  text(field: string): string;
  /** Gives a field that need not be there; empty counts as absent. Throws if it is something else than text. */
  optionalText(field: string): string | undefined;
}

/**
 * Parses a secret's JSON value, and sees to it that no log line shows what it holds.
 * @throws InvalidSecretError if the value is no JSON object
 */
export function parseSecret(secretId: string, value: unknown): SecretFields {
  const fields = new Map(Object.entries(parseObject(secretId, value)));
  hideValues(fields);
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

/** Fields that name things, or say when something ends; the others are secret. */
const openFields = /^(appId|region|rotating|takingBack|replaced\w+Until|\w*[uU]sername)$/;

function hideValues(fields: ReadonlyMap<string, unknown>): void {
  for (const [field, value] of fields) {
    if (typeof value !== "string" || openFields.test(field)) continue;
    rememberSecret(value);
    // Several keys, separated by spaces, where one was replaced within the overlap of another.
    if (field === "replacedApiKey") for (const key of value.split(" ")) rememberSecret(key);
    // As an `Authorization` header holds it.
    const username = fields.get(field.replace(/Password$/, "Username"));
    if (typeof username === "string") {
      rememberSecret(Buffer.from(`${username}:${value}`, "utf8").toString("base64"));
    }
  }
}

function parseObject(secretId: string, value: unknown): object {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (isRecord(parsed)) return parsed;
  throw new InvalidSecretError(
    `Secret ${secretId} is not a JSON object. Put {"appId", "region", …} there; docs/deploy.md says how.`,
  );
}
