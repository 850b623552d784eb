/** Thrown when a secret's value is not what its reader needs; names the secret and the field, never a value. */
export class InvalidSecretError extends Error {
  override readonly name = "InvalidSecretError";
}

/**
 * Parses a secret's JSON value and gives a function that reads its text fields by name.
 * @throws InvalidSecretError if the value is no JSON object, or, when read, if a field is missing, empty or no text
 */
export function parseSecret(secretId: string, value: unknown): (field: string) => string {
  const fields = new Map(Object.entries(parseObject(secretId, value)));
  return (field) => {
    const text = fields.get(field);
    if (typeof text === "string" && text !== "") return text;
    throw new InvalidSecretError(
      `Secret ${secretId} has no text in "${field}". Put the value there; docs/deploy.md says how.`,
    );
  };
}

/**
 * Parses a secret's JSON value and gives a function that reads text fields which need not be there; empty counts as absent.
 * @throws InvalidSecretError if the value is no JSON object, or, when read, if a field is something else than text
 */
export function parseOptionalFields(secretId: string, value: unknown): (field: string) => string | undefined {
  const fields = new Map(Object.entries(parseObject(secretId, value)));
  return (field) => {
    const text = fields.get(field) ?? "";
    if (typeof text === "string") return text === "" ? undefined : text;
    throw new InvalidSecretError(`Secret ${secretId} has something else than text in "${field}".`);
  };
}

function parseObject(secretId: string, value: unknown): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(typeof value === "string" ? value : "");
  } catch {
    // JSON.parse quotes its input in its error, so that error must not be passed on.
  }
  if (typeof parsed === "object" && parsed !== null) return parsed;
  throw new InvalidSecretError(
    `Secret ${secretId} is not a JSON object. Put {"appId", "region", …} there; docs/deploy.md says how.`,
  );
}
