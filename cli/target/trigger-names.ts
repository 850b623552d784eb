import { listSome } from "../../lib/base/names.ts";
import { listEventNames } from "../../lib/events/app-event.ts";
import { suggestTrigger } from "../../lib/events/suggest-trigger.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { failedTriggersOf } from "../../lib/operate/doctor/failed-triggers.ts";
import type { SetAside } from "../../lib/queue/set-aside.ts";
import { notThere } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { askFacts, readConfigured } from "./served-apps.ts";

/**
 * Reads config/ if the function `doctor` does not report what is deployed: each trigger may then handle each
 * event. Never throws.
 */
export async function readTriggers({ target, edges }: WorkContext) {
  const facts = await askFacts(target)
    .catch(async () => fromConfigured(await readConfigured(edges.projectFolder, target.stage)))
    .catch(() => undefined);
  const names = facts?.triggers.map(({ name }) => name);
  return {
    failedOf: (message: SetAside) => failedTriggersOf(message, facts),
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
  return names.length === 0 ? "The deployment has no trigger." : `There is ${listSome(names, 20)}.`;
}

function fromConfigured({ appIds, triggers }: Awaited<ReturnType<typeof readConfigured>>): DeployedFacts {
  const everything = triggers.map(({ name }) => name);
  const needs = [{ appIds: [...appIds], webhook: {}, elsewhere: {}, everything }];
  return { appIds: [...appIds], triggers: [...triggers], flows: [], needs, canaries: [] };
}
