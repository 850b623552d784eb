import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import { durationMs } from "../../lib/base/duration.ts";
import { loginSettingsSchema } from "../../lib/endpoints/login/login-settings.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { createFlowCancels } from "../../lib/flows/flow-cancels.ts";
import { createFlowMarks } from "../../lib/flows/flow-marks.ts";
import { createFlowQuestions } from "../../lib/flows/flow-questions.ts";
import { createFlowWaits } from "../../lib/flows/flow-waits.ts";
import { createFlowOperator } from "../../lib/flows/operate-flows.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { flowStore } from "../../lib/operate/personal-data/flow-store.ts";
import { createMentions } from "../../lib/operate/personal-data/mentions.ts";
import type { PersonalStore } from "../../lib/operate/personal-data/personal-store.ts";
import { platformStores } from "../../lib/operate/personal-data/platform-stores.ts";
import { queueStores } from "../../lib/operate/personal-data/queue-stores.ts";
import { tableStores } from "../../lib/operate/personal-data/table-stores.ts";
import { withOperatorTimeouts } from "../../lib/queue/operator-services.ts";
import { wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { openOperator } from "../repair/open-operator.ts";
import { openApp } from "../see/open-app.ts";
import { meantApp } from "../trigger/who-acts.ts";

type Context = Pick<WorkContext, "target" | "edges" | "out">;

/** A user of one app, and the stores that may hold their data. */
export interface OpenPerson {
  readonly app: string;
  /** In lower case. */
  readonly uid: string;
  /** The deployment's stores. */
  readonly own: readonly PersonalStore[];
  /** The platform's, in the order of deletion. */
  readonly platform: readonly PersonalStore[];
}

/** Finds the meant app of the deployment. @throws CliError for an invalid uid or an app that is not served */
export async function namePerson(
  { target }: Pick<Context, "target">,
  typed: string,
  app: string | undefined,
): Promise<Pick<OpenPerson, "app" | "uid">> {
  if (!/^[\w-]{1,100}$/.test(typed)) throw wrongUse(`"${typed}" is not a uid.`);
  const stack = await target.stack();
  const facts = await readDeployedFacts(target.callAws, stack.physicalId("DoctorLambdaFunction"));
  return { app: meantApp(app, facts), uid: typed.toLowerCase() };
}

/** Opens all stores of an app. Reads only its secret and config/auth-token.yml. @throws CliError, AwsCallError */
export async function openPerson(
  context: Context,
  { app, uid }: Pick<OpenPerson, "app" | "uid">,
): Promise<OpenPerson> {
  const { target, edges } = context;
  const { now, signal } = edges;
  const { physicalId } = await target.stack();
  const callAws = withOperatorTimeouts(target.callAws);
  const person = { appId: app, uid, mentions: createMentions(uid) };
  const { limits } = loginSettingsSchema.parse(await readSettings(context, app, "auth-token.yml"));
  const table = createTable({ callAws, tableName: physicalId("FlowsTable"), sortKey: "flow" });
  const flows = createFlowOperator({
    callDurable: createDurableApi(callAws),
    marks: createFlowMarks(table, now),
    waits: createFlowWaits(table, now),
    questions: createFlowQuestions(table, now),
    cancels: createFlowCancels(table, now),
    functionName: physicalId("FlowsLambdaFunction"),
  });
  const { connection } = await openApp(target, app);
  return {
    ...{ app, uid },
    own: [
      ...queueStores(person, await openOperator(context), signal),
      flowStore(person, flows, now),
      ...tableStores({
        ...{ person, callAws, now, nameOf: physicalId },
        loginWindowMs: durationMs(limits.window),
      }),
    ],
    platform: platformStores(person, connection),
  };
}

/** Reads a file of config/ of this project, as it applies to an app. @throws ConfigFileError */
export async function readSettings(
  { target, edges }: Pick<Context, "target" | "edges">,
  app: string,
  file: string,
): Promise<unknown> {
  const layers = await readConfigLayers(edges.projectFolder, file, target.stage);
  const settings = settingsOf(file, layers);
  return settings.apps[app] ?? settings.default;
}
