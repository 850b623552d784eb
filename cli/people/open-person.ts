import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { readStages } from "../../build/stages.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import { durationMs } from "../../lib/base/duration.ts";
import { allFamilies } from "../../lib/chat/client.ts";
import { composeOn } from "../../lib/chat/compose.ts";
import type { Fetch } from "../../lib/chat/lean-fetch.ts";
import { loginSettingsSchema } from "../../lib/endpoints/login/login-settings.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { openFlowOperator } from "../../lib/flows/operate-flows.ts";
import { flowStore } from "../../lib/operate/personal-data/flow-store.ts";
import { createMentions } from "../../lib/operate/personal-data/mentions.ts";
import { personalDataAgent } from "../../lib/operate/personal-data/personal-store.ts";
import { platformStores } from "../../lib/operate/personal-data/platform-stores.ts";
import { queueStores } from "../../lib/operate/personal-data/queue-stores.ts";
import { tableStores } from "../../lib/operate/personal-data/table-stores.ts";
import { withOperatorTimeouts } from "../../lib/queue/operator-services.ts";
import { wrongUse } from "../cli-error.ts";
import type { CommandContext } from "../command.ts";
import { openOperator } from "../repair/open-operator.ts";
import { openApp } from "../see/open-app.ts";
import { meantApp, readServed } from "../trigger/who-acts.ts";
import { readLegalHolds } from "./legal-holds.ts";
import { localStores } from "./local-stores.ts";

type Context = CommandContext<{ uid: string }, { app: string | undefined }>;

/**
 * Opens all stores that may hold data of a user of one app: the deployment's `own`, and the platform's in the
 * order of deletion. Searches nothing yet. `readHolds` reads the uids under a legal hold.
 * @throws CliError, AwsCallError, ConfigFileError
 */
export async function openPerson(context: Context) {
  const { target, edges, args, options } = context;
  const { now, signal, projectFolder } = edges;
  if (!/^[\w-]{1,100}$/.test(args.uid)) throw wrongUse(`"${args.uid}" is not a uid.`);
  const uid = args.uid.toLowerCase();
  const { physicalId } = await target.stack();
  const app = meantApp(options.app, await readServed(context));
  const login = settingsOf(
    "auth-token.yml",
    await readConfigLayers(projectFolder, "auth-token.yml", target.stage),
  );
  const { limits } = loginSettingsSchema.parse(login.apps[app] ?? login.default);
  const loginWindowMs = durationMs(limits.window);
  const callAws = withOperatorTimeouts(target.callAws);
  const person = { appId: app, uid, mentions: createMentions(uid) };
  const { retention = {} } = (await readStages(projectFolder)).get(target.stage) ?? {};
  const flowsTable = createTable({ callAws, tableName: physicalId("FlowsTable"), sortKey: "flow" });
  const asItself: Fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, "user-agent": personalDataAgent } });
  const { connection } = await openApp(target, app, { fetch: asItself });
  const functionName = physicalId("FlowsLambdaFunction");
  const durable = { callDurable: createDurableApi(callAws), functionName };
  return {
    app,
    uid,
    retention,
    readHolds: () => readLegalHolds(projectFolder, target.stage, app),
    own: [
      ...queueStores(person, await openOperator(context), signal),
      flowStore(person, openFlowOperator(flowsTable, durable, now).operator, retention.flowDays),
      ...tableStores({ person, callAws, now, nameOf: physicalId, loginWindowMs }),
      ...(target.consoleUrl === undefined ? [] : localStores(person, target.consoleUrl, signal)),
    ],
    platform: platformStores(person, composeOn(connection, allFamilies)),
  };
}
