import { listSome } from "../../lib/base/names.ts";
import { listEventNames } from "../../lib/events/app-event.ts";
import { suggestTrigger } from "../../lib/events/suggest-trigger.ts";
import { failedTriggersOf } from "../../lib/operate/doctor/failed-triggers.ts";
import type { SetAside } from "../../lib/queue/set-aside.ts";
import { notThere } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { askFacts, meantApp, readConfigured } from "./served-apps.ts";

/**
 * Asks the function `doctor`. If it does not answer, names come from config/, and only triggers that a cause
 * names are known to have failed. Never throws.
 * @param searched noted if it may have failed letters that are not found
 */
export async function readTriggers({ target, edges, out }: WorkContext, searched = "") {
  const facts = await askFacts(target).catch(() => undefined);
  const listed = facts ?? (await readConfigured(edges.projectFolder, target.stage).catch(() => undefined));
  const names = listed?.triggers.map(({ name }) => name);
  if (facts === undefined && names?.includes(searched))
    out.note(`The function doctor did not answer: only those whose cause names ${searched} are found.`);
  return {
    failedOf: (message: SetAside) => failedTriggersOf(message, facts),
    /** @throws CliError if the deployment does not serve the app */
    checkApp: (app: string) => {
      if (listed !== undefined) meantApp(app, listed);
    },
    /** @throws CliError if nothing that is deployed or sent has this name */
    check: (name: string) => {
      if (names === undefined || names.includes(name) || listEventNames().includes(name)) return;
      throw notThere(
        "NO_SUCH_NAME",
        `There is neither a trigger nor an event of the platform called "${name}".`,
        [suggestTrigger(name)?.reason ?? "", thereAre(names)].join(" ").trim(),
      );
    },
  };
}

function thereAre(names: readonly string[]) {
  return names.length === 0
    ? "The deployment has no trigger."
    : `The deployment's triggers: ${listSome(names, 20)}.`;
}
