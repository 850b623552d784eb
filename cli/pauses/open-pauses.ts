import { countOf } from "../../lib/base/count-of.ts";
import { listSome } from "../../lib/base/names.ts";
import { type Pause, type PauseTarget, pauseWord } from "../../lib/effects/health/pause-settings.ts";
import { createTicketSenders } from "../../lib/queue/lanes/ticket.ts";
import { createPauseStore } from "../../lib/queue/pauses/pause-store.ts";
import type { RoomKey, StoredWaiter, WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import { flag, parsedArgument, text, type WorkContext } from "../command.ts";
import { openStores } from "../see/open-app.ts";
import { readServed, type Served } from "../target/served-apps.ts";

export type OpenPauses = Awaited<ReturnType<typeof openPauses>>;

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
      `Add --app <id> or --all-apps. There are ${listSome(appIds, 5)}.`,
    );
  }
  const meant = app === undefined ? appIds : [known("app", app, appIds)];
  return meant.map((appId) => ({ appId, target: { kind, name } }));
}

export function known(what: string, name: string, names: readonly string[]): string {
  if (names.includes(name)) return name;
  throw notThere(
    "NO_SUCH_NAME",
    `The deployment has no ${what} "${name}".`,
    names.length === 0 ? `The deployment has no ${what}.` : `It has only ${listSome(names, 20)}.`,
  );
}

const pageSize = 1_000;

/** Counts lanes, each of which may hold any number of events. */
export async function countWaiting(room: WaitingRoom, of: RoomKey): Promise<Waiting> {
  const waiters = await Array.fromAsync(waitersIn(room, of), ({ waiter }) => waiter.kind);
  const lanes = waiters.filter((kind) => kind === "lane").length;
  return { lanes, flows: waiters.length - lanes };
}

export async function* waitersIn(room: WaitingRoom, of: RoomKey): AsyncGenerator<StoredWaiter> {
  for (let after: string | undefined; ; ) {
    const waiters = await room.waiters(of, after, pageSize);
    yield* waiters;
    after = waiters.at(-1)?.key;
    if (after === undefined) return;
  }
}

/** The typed word: `app:<id>`, `trigger:<name>` or `flow:<name>`. */
interface PauseWord {
  readonly kind: "app" | "trigger" | "flow";
  readonly name: string;
}

const pauseForm = "app:<id>, trigger:<name> or flow:<name>";

export const pauseWordArgument = parsedArgument(
  pauseForm,
  readPauseWord,
  "cannot be paused",
  `Type ${pauseForm}, such as trigger:auto-reply.`,
);

/** `hosts`: events that wait for a host after an outage, or for a trigger that is held back. */
export const resumeWordArgument = parsedArgument(
  `${pauseForm}, or hosts`,
  (typed) => (typed === "hosts" ? typed : readPauseWord(typed)),
  "cannot be resumed",
  `Type ${pauseForm}, or hosts, such as trigger:auto-reply.`,
);

function readPauseWord(typed: string): PauseWord | undefined {
  const [, kind, name] = /^(app|trigger|flow):(.+)$/s.exec(typed) ?? [];
  if (name === undefined || (kind !== "app" && kind !== "trigger" && kind !== "flow")) return undefined;
  return { kind, name };
}

export const pauseScopeOptions = {
  app: text("<id>", "the app of the trigger or flow (default: the only one)"),
  allApps: flag("the trigger or flow of every app"),
};

interface PausePlace {
  readonly appId: string;
  readonly target: PauseTarget;
}

export type PauseResult = ReturnType<typeof toPauseResult>;

export function toPauseResult(
  { appId, target }: PausePlace,
  { sinceMs, untilMs, by, reason }: Pause,
  waiting?: Waiting,
) {
  return {
    app: appId,
    what: toPauseWord(appId, target),
    by,
    reason,
    waiting,
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
  };
}

/** Returns the typed word; `listen` if a developer's machine acts instead. */
function toPauseWord(appId: string, target: PauseTarget) {
  if (target.kind === "app") return `app:${appId}`;
  return target.kind === "lease" ? "listen" : pauseWord(target);
}

interface Waiting {
  readonly lanes: number;
  readonly flows: number;
}

export function namePause({ app, what }: Pick<PauseResult, "app" | "what">): string {
  return what.startsWith("app:") ? what : `${what} of app ${app}`;
}

export function nameWaiting({ lanes, flows }: Waiting): string {
  return `${countOf(lanes, "conversation")} and ${countOf(flows, "flow")}`;
}
