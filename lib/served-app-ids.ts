import idsOfStage from "../config/apps.yml";

/** Thrown at start where config/apps.yml names no app for the stage of the build: without an app nothing may get in. */
export class NoAppServedError extends Error {
  override readonly name = "NoAppServedError";

  constructor() {
    super("config/apps.yml names no app for this stage: name those that it serves there, and deploy again.");
  }
}

/**
 * Gives the ids of the apps that this deployment serves, in the order of config/apps.yml as it was when the function was built.
 * @param ids Ids with commas between them. Default: those of the build.
 * @throws NoAppServedError
 */
export function servedAppIds(ids: string = idsOfStage): readonly string[] {
  if (ids === "") throw new NoAppServedError();
  return ids.split(",");
}
