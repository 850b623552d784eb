/** What a rotation can replace in an app's secret. */
export type RotatedThing = "webhook-password" | "api-key";

export const rotatedThings = ["webhook-password", "api-key"] as const satisfies readonly RotatedThing[];

/** The secret's fields for each: the value in use, the replaced one, and until when that is valid. */
export const fieldsOf = {
  "webhook-password": {
    field: "webhookPassword",
    replaced: "replacedWebhookPassword",
    until: "replacedWebhookPasswordUntil",
  },
  "api-key": { field: "apiKey", replaced: "replacedApiKey", until: "replacedApiKeyUntil" },
} as const satisfies Record<RotatedThing, unknown>;

/** All stored fields of one version of the secret. */
export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * Lists in a version what it brings in, separated by spaces. A pending version without it was created
 * elsewhere; in the current one it means that the replaced values are not recorded yet.
 */
export const rotatingField = "rotating";

/** Replaces `rotating` in a pending version that is being reverted: no run brings it in anymore. */
export const takingBackField = "takingBack";

/** Reads what a version brings in; empty if no rotation created it. */
export function readRotating(fields: StoredFields, field = rotatingField): readonly RotatedThing[] {
  const text = fieldText(fields, field) ?? "";
  return rotatedThings.filter((thing) => text.split(" ").includes(thing));
}

/**
 * Reads the replaced API keys that are still valid. One field contains several, separated by spaces: a key
 * that was replaced within an overlap joins the one before it.
 */
export function readReplacedKeys(fields: StoredFields): readonly string[] {
  return (fieldText(fields, fieldsOf["api-key"].replaced) ?? "").split(" ").filter((key) => key !== "");
}

/** Returns a field's text; undefined if it is absent, empty or not a text. */
export function fieldText(fields: StoredFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
