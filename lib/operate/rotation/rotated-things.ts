/** What a rotation can replace in an app's secret. */
export type RotatedThing = "webhook-password" | "api-key";

export const rotatedThings = ["webhook-password", "api-key"] as const satisfies readonly RotatedThing[];

/** The fields of the secret that belong to each: the one in use, the one that it replaced, and how long that lives on. */
export const fieldsOf = {
  "webhook-password": {
    field: "webhookPassword",
    replaced: "replacedWebhookPassword",
    until: "replacedWebhookPasswordUntil",
  },
  "api-key": { field: "apiKey", replaced: "replacedApiKey", until: "replacedApiKeyUntil" },
} as const satisfies Record<RotatedThing, unknown>;

/** All fields of one version of the secret, as they are stored. */
export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * Says in a version which things it brings in, separated by spaces. A pending version without it was made by somebody
 * else; in the current one it means that what was replaced is not written down yet.
 */
export const rotatingField = "rotating";

/** Takes the place of `rotating` in a pending version that is being taken back: nobody brings it in any more. */
export const takingBackField = "takingBack";

/** Reads which things a version brings in; none for one that no rotation made. */
export function readRotating(fields: StoredFields, field = rotatingField): readonly RotatedThing[] {
  const text = fieldText(fields, field) ?? "";
  return rotatedThings.filter((thing) => text.split(" ").includes(thing));
}

/**
 * Reads the API keys that were replaced and live on. Several stand in one field, separated by spaces: a key that was replaced
 * within an overlap joins the one before it.
 */
export function readReplacedKeys(fields: StoredFields): readonly string[] {
  return (fieldText(fields, fieldsOf["api-key"].replaced) ?? "").split(" ").filter((key) => key !== "");
}

/** Gives a field's text; undefined for what is absent, empty or no text. */
export function fieldText(fields: StoredFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
