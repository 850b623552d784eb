import type { StoredFields } from "./rotated-things.ts";

/** Why a rotation does not continue. */
export type RotationTrouble =
  /** Another run, or Secrets Manager itself, is bringing in a version. */
  | "somebody-else"
  /** A pending version that no rotation created. */
  | "unknown-pending"
  /** Secrets Manager's previous version is still needed. */
  | "previous-needed"
  /** A rotation cannot begin with this secret. */
  | "secret-unfit"
  /** The new value does not work: nothing was switched to it. */
  | "not-proven"
  /** Nothing on the platform seems to use the credentials. */
  | "nothing-to-switch"
  /** The management interface is needed, and there are no credentials for it. */
  | "no-management"
  /** The app has as many keys as the platform allows. */
  | "too-many-keys";

/**
 * Thrown if a rotation cannot continue; nothing is lost, and the next run continues where this one stopped.
 */
export class RotationError extends Error {
  override readonly name = "RotationError";
  readonly trouble: RotationTrouble;
  readonly hint: string;

  constructor(trouble: RotationTrouble, message: string, hint: string) {
    super(message);
    this.trouble = trouble;
    this.hint = hint;
  }
}

/** Returns a command for an app's secret as it is typed; the caller adds the stage. */
export function rotateCommand(words: string, { appId }: StoredFields): string {
  return `npx cometchat-functions rotate ${words} --app ${appId}`;
}

/** Thrown if a label has moved since the step was planned: read again and plan a new step. */
export class SecretChangedError extends Error {
  override readonly name = "SecretChangedError";
}
