import type { PlanSwitches } from "../../lib/operate/app-as-code/thing.ts";
import { flag, texts } from "../options.ts";

export const chosenOptions = {
  app: texts("<id>", "the app, if the stage serves several; may be repeated (default: all)"),
  only: texts("<file>", "one file of config/app/, such as roles; may be repeated (default: all)"),
};

export const switchOptions = {
  delete: flag("delete what is declared absent, and remove undeclared members"),
  writeUnknown: flag("also write what the platform does not show"),
};

export function toSwitches(options: {
  readonly delete: boolean;
  readonly writeUnknown: boolean;
}): PlanSwitches {
  return { mayDelete: options.delete, writesUnknown: options.writeUnknown };
}
