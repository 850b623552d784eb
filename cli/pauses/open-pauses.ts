import { createTable } from "../../lib/aws/create-table.ts";
import type { Table } from "../../lib/aws/table.ts";
import type { PauseTarget } from "../../lib/effects/health/pause-settings.ts";
import { type DeployedFacts, readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { createTicketSenders, type SendPauseTicket } from "../../lib/queue/lanes/ticket.ts";
import { createPauseStore, type PauseStore } from "../../lib/queue/pauses/pause-store.ts";
import { createWaitingRoom, type RoomOf, type WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import type { Target } from "../target/target.ts";
import type { PauseWord } from "./pause-word.ts";

export interface OpenPauses {
  readonly store: PauseStore;
  readonly room: WaitingRoom;
  readonly sendPauseTicket: SendPauseTicket;
  readonly facts: DeployedFacts;
  /** The lanes table, whose key is `lane` and `item`. */
  readonly lanes: Table;
}

export interface PausePlace {
  readonly appId: string;
  readonly target: PauseTarget;
}

/** @throws CliError, AwsCallError, UnknownFactsError */
export async function openPauses(
  { callAws, stack }: Target,
  edges: Pick<CliEdges, "now" | "token" | "sleep">,
): Promise<OpenPauses> {
  const { now, token, sleep } = edges;
  const deployed = await stack();
  const lanes = createTable({
    callAws,
    tableName: deployed.physicalId("LanesTable"),
    sortKey: "item",
    sleep: (ms) => sleep(ms),
  });
  return {
    lanes,
    store: createPauseStore(lanes, now, token),
    room: createWaitingRoom(lanes, now),
    sendPauseTicket: createTicketSenders(callAws, deployed.physicalId("ParkedLanesQueue"), token)
      .sendPauseTicket,
    facts: await readDeployedFacts(callAws, deployed.physicalId("DoctorLambdaFunction")),
  };
}

/**
 * Checks that the target exists: a wrong name would pause nothing.
 * @throws CliError
 */
export function findPlaces(
  word: PauseWord,
  { app, allApps }: { readonly app: string | undefined; readonly allApps: boolean },
  { appIds, triggers, flows }: Pick<DeployedFacts, "appIds" | "triggers" | "flows">,
): readonly PausePlace[] {
  if (word.kind === "app") {
    if (app !== undefined || allApps) throw wrongUse(`app:${word.appId} already names the app.`);
    return [{ appId: known("app", word.appId, appIds), target: { kind: "app" } }];
  }
  const { kind, name } = word;
  const names = kind === "flow" ? flows : triggers.map((trigger) => trigger.name);
  known(kind, name, names);
  if (app !== undefined && allApps) throw wrongUse("--app and --all-apps cannot be combined.");
  if (app === undefined && !allApps && appIds.length !== 1) {
    throw wrongUse(
      `Several apps are served: name the app of the ${kind} ${name}.`,
      `Add --app <id> or --all-apps. There are ${appIds.slice(0, 5).join(", ")}${appIds.length > 5 ? ", …" : "."}`,
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
    names.length === 0
      ? `The deployment has no ${what}.`
      : `There is ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : "."}`,
  );
}

export interface Waiting {
  readonly lanes: number;
  readonly flows: number;
}

/**
 * A lane may hold any number of events.
 * @throws AwsCallError
 */
export async function countWaiting(room: WaitingRoom, of: RoomOf): Promise<Waiting> {
  let lanes = 0;
  let flows = 0;
  for (let after: string | undefined; ; ) {
    const guests = await room.guests(of, after, pageSize);
    for (const { guest } of guests) {
      if (guest.kind === "lane") lanes += 1;
      else flows += 1;
    }
    after = guests.at(-1)?.seat;
    if (after === undefined) return { lanes, flows };
  }
}

const pageSize = 1_000;
