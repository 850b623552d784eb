import idsOfStage from "../../config/apps.yml";

/**
 * Gives the ids of the apps that this deployment serves, in the order of config/apps.yml as it was when the function was built.
 * @throws Error where it names none for the stage: without an app nothing may get in
 */
export function servedAppIds(): readonly string[] {
  if (idsOfStage === "") throw new Error("config/apps.yml names no app for this stage.");
  return idsOfStage.split(",");
}
