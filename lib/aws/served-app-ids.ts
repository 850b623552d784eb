import idsOfStage from "../../config/apps.yml";
import { OwnError } from "../base/errors.ts";

/**
 * Returns app ids in the order of config/apps.yml at build time.
 * @throws Error if the stage has no app, because every request would be refused
 */
export function servedAppIds(): readonly string[] {
  if (idsOfStage === "") throw new OwnError("config/apps.yml names no app for this stage.");
  return idsOfStage.split(",");
}
