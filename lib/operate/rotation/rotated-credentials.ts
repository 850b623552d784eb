import { OwnError } from "../../base/errors.ts";

export const rotatedCredentials = ["webhook-password", "api-key"] as const;

export type RotatedCredential = (typeof rotatedCredentials)[number];

export const fieldsOf = {
  "webhook-password": {
    field: "webhookPassword",
    replaced: "replacedWebhookPassword",
    until: "replacedWebhookPasswordUntil",
  },
  "api-key": { field: "apiKey", replaced: "replacedApiKey", until: "replacedApiKeyUntil" },
} as const satisfies Record<RotatedCredential, unknown>;

export type StoredFields = Readonly<Record<string, unknown>>;

/**
 * Contains the credential's name and an overlap in milliseconds that an operator chose. A pending version
 * without it was created elsewhere; in the current one, replaced values have no end yet.
 */
export const rotatingField = "rotating";

/** Replaces `rotating` in a version that is being reverted: no run brings it in. */
export const takingBackField = "takingBack";

export function isRotating(fields: StoredFields | undefined): boolean {
  return fieldText(fields, rotatingField) !== undefined;
}

export function isBeingTakenBack(fields: StoredFields | undefined): boolean {
  return fieldText(fields, takingBackField) !== undefined;
}

export function readReplacedKeys(fields: StoredFields): readonly string[] {
  return (fieldText(fields, fieldsOf["api-key"].replaced) ?? "").split(/\s+/).filter((key) => key !== "");
}

export function fieldText(fields: StoredFields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export type RotationTrouble =
  /** Another run, or Secrets Manager itself, changed it. */
  | "somebody-else"
  | "unknown-pending"
  | "previous-needed"
  | "secret-unfit"
  | "not-proven"
  | "given-refused"
  | "nothing-to-switch"
  | "no-management"
  | "bots-unchanged"
  | "too-many-keys"
  | "keys-unlisted";

/** Loses nothing: the next run continues. */
export class RotationError extends OwnError {
  override readonly name = "RotationError";
  readonly trouble: RotationTrouble;
  readonly hint: string;

  constructor(trouble: RotationTrouble, message: string, hint: string) {
    super(message);
    this.trouble = trouble;
    this.hint = hint;
  }
}

export function rotateCommand(words: string, { appId }: StoredFields): string {
  return `npx cometchat-functions rotate ${words} --app ${appId}`;
}

/** Thrown if a label moved since the step was planned: plan a new step. */
export class SecretChangedError extends OwnError {
  override readonly name = "SecretChangedError";
}
