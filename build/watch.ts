import { alarmDefinitionsSchema } from "./alarms/alarm-definitions.ts";
import { makeAlarms, type Resources } from "./alarms/alarm-resources.ts";
import { alarmSettingsSchema } from "./alarms/alarm-settings.ts";
import { makeDashboard } from "./alarms/dashboard.ts";
import { readConfigLayers } from "./config-layers.ts";
import { parseBy } from "./parse-by.ts";

/**
 * Adds the alarms of infrastructure/alarms.yml and the dashboard, for every function, also the team's own.
 */
export default class Watch {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: Serverless) {
    const add = () => addWatch(serverless);
    this.hooks = { "before:package:initialize": add, "before:run:run": add };
  }
}

async function addWatch(serverless: Serverless): Promise<void> {
  const { service, serviceDir } = serverless;
  const { naming } = serverless.getProvider("aws");
  const { stage } = service.provider;
  const { base, stage: anew } = await readConfigLayers(serviceDir, "alarms.yml", stage);
  const settings = parseBy(alarmSettingsSchema, anew === undefined ? [base] : [base, anew]);
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

/** Serverless publishes no types. */
interface Serverless {
  readonly serviceDir: string;
  readonly service: {
    readonly provider: { readonly stage: string };
    readonly custom: { readonly name: string; readonly alarms: unknown };
    readonly functions: Readonly<Record<string, unknown>>;
    readonly resources: { readonly Resources: Resources };
  };
  getProvider(name: string): {
    readonly naming: {
      getLambdaLogicalId(functionKey: string): string;
      getLogGroupLogicalId(functionKey: string): string;
    };
  };
}
