import { devNull } from "node:os";
import process from "node:process";
import { addAddresses, nameCurrentAddress } from "./addresses.ts";
import { makeAlarms } from "./alarms/alarm-resources.ts";
import { alarmDefinitionsSchema } from "./alarms/alarm-schema.ts";
import { alarmSettingsSchema } from "./alarms/alarm-settings.ts";
import { makeDashboard } from "./alarms/dashboard.ts";
import { encryptStores } from "./customer-key.ts";
import { checkTemplate, guardDeployment, mark } from "./deployment-guard.ts";
import { addRoles, functionProperties, keepShippedRights } from "./function-roles.ts";
import { hintAt } from "./nearest-name.ts";
import { readBy } from "./parse-by.ts";
import { type ListedRight, type Serverless, stageOf } from "./serverless.ts";

/** Completes serverless.yml for packages, deployments and the local stack. */
export default class ServicePlugin {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: Serverless, options: { readonly package?: string }) {
    // Not merged yet: the framework merges them after it has loaded the plugins.
    keepShippedRights([serverless.service.functions].flat());
    serverless.configSchemaHandler.defineFunctionProperties("aws", functionProperties);
    ignoreProfile(serverless);
    const prepare = async () => {
      await refuseInvalidConfig(serverless);
      leaveOutFlows(serverless);
      addAddresses(serverless);
      await addWatch(serverless);
    };
    this.hooks = {
      "before:package:initialize": async () => {
        await prepare();
        addRoles(serverless);
        putFlowsFirst(serverless);
        // Part of the framework's hash, so that another key makes a new version of flows.
        const { provider } = serverless.service;
        provider.kmsKeyArn = stageOf(serverless).kmsKey ?? provider.kmsKeyArn;
      },
      "before:run:run": async () => {
        await prepare();
        await mark(serverless.service.resources, serverless);
      },
      // Runs after the service's resources, outputs and metadata are in the template.
      "after:aws:package:finalize:mergeCustomProviderResources": async () => {
        nameCurrentAddress(serverless);
        await checkTemplate(serverless);
        await noteFlowEvents(serverless);
        encryptStores(serverless);
      },
      "before:deploy:deploy": async () => {
        ignoreProfile(serverless); // the package's own
        adoptTables(serverless);
        await guardDeployment(serverless, options.package);
      },
      "before:rollback:rollback": async () => adoptTables(serverless),
      "before:deploy:function:initialize": async () => {
        await refuseInvalidConfig(serverless);
        await guardDeployment(serverless, undefined, { isBuiltHere: true });
      },
    };
  }
}

/** Would replace the credentials that a command serves (cli/deploy/serve-credentials.ts). */
function ignoreProfile({ service }: Serverless) {
  if (process.env.AWS_SHARED_CREDENTIALS_FILE === devNull) delete service.provider.profile;
}

interface ReadService extends Pick<Serverless, "serviceDir" | "classes"> {
  readonly service: {
    readonly provider: { readonly stage: string };
    readonly custom: { readonly stages: object };
  };
}

/** @throws Error without a stack: the bundler would report mistakes file by file */
export async function refuseInvalidConfig({ serviceDir, service, classes }: ReadService): Promise<void> {
  // Imports late: serverless loads plugins by `require`; this module awaits a file.
  const { checkConfigFiles } = await import("./check-config-files.ts");
  const mistakes = [...(await checkConfigFiles(serviceDir))];
  const { stage } = service.provider;
  const { stages } = service.custom;
  if (!Object.hasOwn(stages, stage)) {
    const hint = hintAt(stage, Object.keys(stages));
    mistakes.push(`There is no stage "${stage}" (config/stages.yml names the stages)${hint}`);
  }
  if (mistakes.length > 0) throw new classes.Error(mistakes.join("\n"), "CONFIG_DOES_NOT_FIT");
}

/**
 * Makes deployments adopt retained tables of a removed stack of the same name, whose names are taken.
 * CloudFormation adopts only resources with a fixed name that belong to no stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
function adoptTables({ pluginManager }: Serverless) {
  const makers = pluginManager.plugins.filter(makesChangeSets);
  // Undocumented: the framework may remove it.
  if (makers.length === 0) throw new Error("The framework makes change sets in another way than expected.");
  for (const maker of makers) {
    const make = maker.getCreateChangeSetParams.bind(maker);
    maker.getCreateChangeSetParams = (given) => ({ ...make(given), ImportExistingResources: true });
  }
}

interface ChangeSetMaker {
  getCreateChangeSetParams(given: unknown): object;
}

function makesChangeSets(plugin: object): plugin is ChangeSetMaker {
  return "getCreateChangeSetParams" in plugin && typeof plugin.getCreateChangeSetParams === "function";
}

/** Adds alarms and the dashboard for every function, including the team's own. */
async function addWatch(serverless: Serverless) {
  const { service, serviceDir } = serverless;
  const { naming } = serverless.getProvider("aws");
  const { stage } = service.provider;
  const settings = await readBy(alarmSettingsSchema, serviceDir, "alarms.yml", stage);
  const watched = {
    name: service.custom.name,
    stage,
    functions: Object.keys(service.functions).map((key) => ({
      key,
      logicalId: naming.getLambdaLogicalId(key),
      logGroupId: naming.getLogGroupLogicalId(key),
    })),
  };
  const definitions = alarmDefinitionsSchema.parse(service.custom.alarms);
  Object.assign(
    service.resources.Resources,
    makeAlarms(definitions, settings, watched),
    makeDashboard(definitions, watched),
  );
}

const rightsOfFlows: readonly ListedRight[] = ["startFlows", "wakeFlows"];

/** Omits, with `flows: off`, the function of flows and its references. The table of waits stays, empty. */
function leaveOutFlows(serverless: Serverless) {
  if (stageOf(serverless).flows !== "off") return;
  const { functions, provider, custom } = serverless.service;
  delete functions.flows;
  provider.environment.FLOWS = "off"; // lib/flows/define-flow.ts
  for (const definition of Object.values(functions)) {
    delete definition.environment?.FLOWS_FUNCTION_NAME;
    const { rights } = definition;
    if (rights !== undefined) definition.rights = rights.filter((right) => !rightsOfFlows.includes(right));
  }
  for (const { of } of Object.values(custom.alarms)) {
    if ("in" in of && of.in !== undefined) of.in = of.in.filter((key) => key !== "flows");
  }
}

/**
 * Makes a deployment change what starts flows only after the flows' alias: a new flow's start would reach a
 * version that lacks it. `flows` itself would be a cycle.
 */
function putFlowsFirst(serverless: Serverless) {
  const { flows, ...others } = serverless.service.functions;
  if (flows === undefined) return;
  const alias = serverless.getProvider("aws").naming.getLambdaDurableAliasLogicalId("flows");
  for (const definition of Object.values(others)) {
    if (definition.rights?.includes("startFlows"))
      definition.dependsOn = [...(definition.dependsOn ?? []), alias];
  }
}

/** Writes which events the flows list, for cli/deploy/check-before.ts. */
async function noteFlowEvents({ serviceDir, service }: Serverless) {
  const { eventsOfFlows } = await import("./check-flow-starters.ts");
  const hasFlows = service.functions.flows !== undefined;
  const FlowEvents = hasFlows ? ((await eventsOfFlows(serviceDir)) ?? "unknown") : {};
  const template = service.provider.compiledCloudFormationTemplate;
  template.Metadata = { ...template.Metadata, FlowEvents };
}
