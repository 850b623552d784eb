import * as z from "zod/mini";
import { readConfigLayers, textsOf } from "../../build/config-layers.ts";
import { legalHoldsOf } from "../../build/legal-holds.ts";
import { readBy } from "../../build/parse-by.ts";
import type { Retention } from "../../build/stages.ts";
import { durationMs } from "../../lib/base/config-fields.ts";
import { isRecord } from "../../lib/base/json.ts";
import { lazy } from "../../lib/base/lazy.ts";
import { allFamilies } from "../../lib/chat/client.ts";
import { composeOn } from "../../lib/chat/compose.ts";
import type { Fetch } from "../../lib/chat/lean-fetch.ts";
import { loginSettingsSchema } from "../../lib/endpoints/login/login-settings.ts";
import {
  createMentions,
  type Findings,
  type PersonalStore,
  personalDataAgent,
} from "../../lib/operate/personal-data/personal-store.ts";
import { platformStores } from "../../lib/operate/personal-data/platform-stores.ts";
import {
  flowStore,
  type Person,
  queueStores,
  tableStores,
} from "../../lib/operate/personal-data/table-stores.ts";
import { usualAuditDays } from "../audit.ts";
import { wrongUse } from "../cli-error.ts";
import { argument, type CommandContext, text } from "../command.ts";
import { findFlows } from "../flows/open-flows.ts";
import { lookingThrough, openOperator } from "../repair/open-operator.ts";
import { openApp } from "../see/open-app.ts";
import { pacedCalls } from "../target/paced-calls.ts";
import { meantApp, readServed } from "../target/served-apps.ts";

type Context = CommandContext<{ uid: string }, { app: string | undefined }>;

/** Returns the stores for a user's data: the deployment's `own`, and the platform's in order of deletion. */
export async function openPerson(context: Context) {
  const { target, edges, args, options, out } = context;
  const { now, signal, projectFolder } = edges;
  if (!/^[\w-]{1,100}$/.test(args.uid)) throw wrongUse(`"${args.uid}" is not a uid.`);
  const uid = args.uid.toLowerCase();
  const { physicalId } = await target.stack();
  const app = meantApp(options.app, await readServed(context));
  const { limits } = await readBy(loginSettingsSchema, projectFolder, "auth-token.yml", target.stage, app);
  const loginWindowMs = durationMs(limits.window);
  const callAws = pacedCalls(context);
  const person = { appId: app, uid, mentions: createMentions(uid) };
  const { retention = {} } = target.settings;
  const progress = { onProgress: out.progress };
  const asItself: Fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, "user-agent": personalDataAgent } });
  const { connection } = await openApp(target, app, { fetch: asItself });
  const flows = await findFlows(context, callAws);
  return {
    app,
    uid,
    retention,
    own: [
      ...queueStores(person, await openOperator(context), lookingThrough(context)),
      ...(flows === undefined ? [] : [flowStore(person, flows, progress)]),
      ...tableStores({ person, callAws, now, nameOf: physicalId, loginWindowMs, ...progress }),
      ...(target.consoleUrl === undefined ? [] : localStores(person, target.consoleUrl, signal)),
    ],
    platform: platformStores(person, composeOn(connection, allFamilies)),
  };
}

export async function readLegalHolds(projectFolder: string, stage: string | undefined, app: string) {
  const layers = await readConfigLayers(projectFolder, "users.yml", stage);
  return new Set(legalHoldsOf(textsOf(layers, app)));
}

const answerSchema = z.object({ items: z.array(z.object({ id: z.string(), content: z.unknown() })) });

export const snapshotsName = "local snapshots";
export const consoleName = "local console";

function localStores(
  { appId, uid }: Person,
  consoleUrl: string,
  signal: AbortSignal,
): readonly PersonalStore[] {
  const storeAt = (name: string, path: string): PersonalStore => {
    const ask = async (method: string) => {
      // Minutes may pass between the requests, and the console closes idle connections.
      const headers = { connection: "close" };
      const url = `${consoleUrl}/api/people/${appId}/${uid}/${path}`;
      const response = await fetch(url, { method, headers, signal });
      if (!response.ok) throw new Error(`The console of the local stack answered ${response.status}.`);
      return answerSchema.parse(await response.json()).items;
    };
    const find = async function* () {
      const erase = lazy(() => ask("DELETE"));
      for (const item of await ask("GET")) yield { ...item, erase };
    };
    return { name, find };
  };
  return [storeAt(snapshotsName, "snapshots"), storeAt(consoleName, "console")];
}

export const personArgument = { uid: argument("the user's uid") };
export const personOption = { app: text("<id>", "the app (default: the only one)") };

interface Unreachable {
  readonly what: string;
  readonly endsAt?: string | undefined;
}

const hiddenStores =
  "contact details, devices, tokens, memberships, conversations, friends, blocked users and reactions";

/** Assumes the default times of serverless.yml and infrastructure/. */
export function listUnreachable(
  findings: Findings,
  nowMs: number,
  { logDays = 30, auditDays = usualAuditDays, queueSeconds = 1_209_600, backupDays = 35 }: Retention,
): readonly Unreachable[] {
  const until = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
  const staying = [...findings].flatMap(([store, found]) => {
    const reasons = found.flatMap(({ stays }) => stays ?? []);
    return reasons.length === 0 ? [] : [{ what: `${reasons.length} in ${store}: ${reasons[0]}` }];
  });
  const profiles = findings.get("platform profile") ?? [];
  const hidden = profiles.some(({ content }) => isRecord(content) && content.deactivatedAt !== undefined)
    ? [{ what: `${hiddenStores} of a deactivated user, if any: activate the user first` }]
    : [];
  return [
    ...hidden,
    { what: "messages in queues that wait to be handled", endsAt: until(queueSeconds / 86_400) },
    { what: "logs of the functions and of the HTTP API", endsAt: until(logDays) },
    { what: "the audit trail, with the uid that was typed", endsAt: until(auditDays) },
    { what: "point-in-time backups of the tables", endsAt: until(backupDays) },
    ...staying,
    { what: "reactions in groups that the user has left" },
    { what: "records of blocked messages before the newest 50, with uid, name and avatar" },
    { what: "the user's uid as the owner of a group" },
    { what: "notification preferences, notification logs, and the feed and pushes of campaigns" },
    { what: "files of messages, of which no page says that the platform deletes them with the messages" },
    { what: "what targets of the event bus, other hosts and functions of your own stored" },
    { what: "other stages that serve the app: run this for each" },
    { what: "other local stacks, such as those that `listen` passed events to" },
  ];
}
