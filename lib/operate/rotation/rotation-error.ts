import { OwnError } from "../../base/own-error.ts";
import type { StoredFields } from "./rotated-things.ts";

export type RotationTrouble =
  /** Another run, or Secrets Manager itself. */
  | "somebody-else"
  /** Created by no rotation. */
  | "unknown-pending"
  /** Of Secrets Manager. */
  | "previous-needed"
  | "secret-unfit"
  /** Nothing was switched to the new value. */
  | "not-proven"
  /** The platform refuses a key that was given: nothing was changed. */
  | "given-refused"
  /** On the platform, for these credentials. */
  | "nothing-to-switch"
  | "no-management"
  /** Their password, by the platform. */
  | "bots-unchanged"
  /** As the platform allows. */
  | "too-many-keys";

/** Nothing is lost: the next run continues. */
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

/** The caller adds the stage. */
export function rotateCommand(words: string, { appId }: StoredFields): string {
  return `npx cometchat-functions rotate ${words} --app ${appId}`;
}

/** A label moved since the step was planned: read again and plan a new step. */
export class SecretChangedError extends OwnError {
  override readonly name = "SecretChangedError";
}
