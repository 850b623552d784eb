export type RotatedThing = "webhook-password" | "api-key";

export const rotatedThings = ["webhook-password", "api-key"] as const satisfies readonly RotatedThing[];

/** The value in use, the replaced one, and its end. */
export const fieldsOf = {
  "webhook-password": {
    field: "webhookPassword",
    replaced: "replacedWebhookPassword",
    until: "replacedWebhookPasswordUntil",
  },
  "api-key": { field: "apiKey", replaced: "replacedApiKey", until: "replacedApiKeyUntil" },
} as const satisfies Record<RotatedThing, unknown>;

export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * Names separated by spaces. A pending version without it was created elsewhere; in the current one, replaced
 * values are not recorded yet.
 */
export const rotatingField = "rotating";

/** Replaces `rotating` in a version that is being reverted: no run brings it in. */
export const takingBackField = "takingBack";

/** Empty if no rotation created the version. */
export function readRotating(fields: StoredFields, field = rotatingField): readonly RotatedThing[] {
  const text = fieldText(fields, field) ?? "";
  return rotatedThings.filter((thing) => text.split(" ").includes(thing));
}

/** Still valid, separated by spaces: a key replaced within an overlap joins the one before it. */
export function readReplacedKeys(fields: StoredFields): readonly string[] {
  return (fieldText(fields, fieldsOf["api-key"].replaced) ?? "").split(/\s+/).filter((key) => key !== "");
}

/** Undefined if absent, empty or not a text. */
export function fieldText(fields: StoredFields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
