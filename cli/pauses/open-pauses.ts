import { createTicketSenders } from "../../lib/queue/lanes/ticket.ts";
import { createPauseStore } from "../../lib/queue/pauses/pause-store.ts";
import type { RoomOf, WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { openStores } from "../see/open-stores.ts";
import { readServed, type Served } from "../trigger/who-acts.ts";
import type { PausePlace, PauseWord, Waiting } from "./pause-word.ts";

export type OpenPauses = Awaited<ReturnType<typeof openPauses>>;

/** @throws CliError, AwsCallError, ConfigFileError */
export async function openPauses(context: WorkContext) {
  const { target, edges } = context;
  const { now, token } = edges;
  const { callAws } = target;
  const stack = await target.stack();
  const stores = openStores(target, stack, now);
  return {
    ...stores,
    pauses: createPauseStore(stores.lanes, now, token),
    ...createTicketSenders(callAws, stack.physicalId("ParkedLanesQueue"), token),
    served: await readServed(context),
  };
}

/**
 * Checks that the target exists: a wrong name would pause nothing.
 * @throws CliError
 */
export function findPlaces(
  { kind, name }: PauseWord,
  { app, allApps }: { readonly app: string | undefined; readonly allApps: boolean },
  { appIds, triggers, flows = [name] }: Served,
): readonly PausePlace[] {
  if (kind === "app") {
    if (app !== undefined || allApps) throw wrongUse(`app:${name} already names the app.`);
    return [{ appId: known("app", name, appIds), target: { kind } }];
  }
  known(kind, name, kind === "flow" ? flows : triggers.map((trigger) => trigger.name));
  if (app !== undefined && allApps) throw wrongUse("--app and --all-apps cannot be combined.");
  if (app === undefined && !allApps && appIds.length !== 1) {
    throw wrongUse(
      `Several apps are served: name the app of the ${kind} ${name}.`,
      `Add --app <id> or --all-apps. There are ${some(appIds, 5)}`,
    );
  }
  const meant = app === undefined ? appIds : [known("app", app, appIds)];
  return meant.map((appId) => ({ appId, target: { kind, name } }));
}

/** @throws CliError if there is no such name */
export function known(what: string, name: string, names: readonly string[]): string {
  if (names.includes(name)) return name;
  throw new CliError(
    "notThere",
    "NO_SUCH_NAME",
    `The deployment has no ${what} "${name}".`,
    names.length === 0 ? `The deployment has no ${what}.` : `There is ${some(names, 20)}`,
  );
}

function some(names: readonly string[], most: number): string {
  return names.slice(0, most).join(", ") + (names.length > most ? ", …" : ".");
}

const pageSize = 1_000;

/**
 * A lane may hold any number of events.
 * @throws AwsCallError
 */
export async function countWaiting(room: WaitingRoom, of: RoomOf): Promise<Waiting> {
  let lanes = 0;
  let flows = 0;
  for (let after: string | undefined; ; ) {
    const guests = await room.guests(of, after, pageSize);
    const lanesHere = guests.filter(({ guest }) => guest.kind === "lane").length;
    lanes += lanesHere;
    flows += guests.length - lanesHere;
    after = guests.at(-1)?.seat;
    if (after === undefined) return { lanes, flows };
  }
}
