import type { StoredFields } from "./rotated-things.ts";

/** Why a rotation does not go on. */
export type RotationTrouble =
  /** Somebody else, or Secrets Manager itself, is bringing in a version. */
  | "somebody-else"
  /** A pending version that no rotation made. */
  | "unknown-pending"
  /** The version that Secrets Manager keeps as the previous one is still needed. */
  | "previous-needed"
  /** The secret is not what a rotation can begin with. */
  | "secret-unfit"
  /** What was brought in does not work: nothing was switched to it. */
  | "not-proven"
  /** Nothing on the platform uses the credentials, as far as can be seen. */
  | "nothing-to-switch"
  /** The management interface is needed and its credentials are not there. */
  | "no-management"
  /** The app has as many keys as the platform allows. */
  | "too-many-keys";

/** Thrown when a rotation cannot go on; nothing is lost, and the next run goes on from where this one stopped. */
export class RotationError extends Error {
  override readonly name = "RotationError";
  readonly trouble: RotationTrouble;
  /** What to do about it. */
  readonly hint: string;

  constructor(trouble: RotationTrouble, message: string, hint: string) {
    super(message);
    this.trouble = trouble;
    this.hint = hint;
  }
}

/** Writes a command for an app's secret as it is typed; who prints it adds the stage. */
export function rotateCommand(words: string, { appId }: StoredFields): string {
  return `npx cometchat-functions rotate ${words} --app ${appId}`;
}

/** Thrown when a label is no longer where it was when the step was decided on: read again and decide anew. */
export class SecretChangedError extends Error {
  override readonly name = "SecretChangedError";
}
