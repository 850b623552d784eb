import { alarmDefinitionsSchema } from "./alarms/alarm-definitions.ts";
import { makeAlarms } from "./alarms/alarm-resources.ts";
import { alarmSettingsSchema } from "./alarms/alarm-settings.ts";
import { makeDashboard } from "./alarms/dashboard.ts";
import { readConfigLayers } from "./config-layers.ts";
import { parseBy } from "./parse-by.ts";
import type { Serverless } from "./serverless.ts";

/** Adds alarms and the dashboard, for every function, also the team's own. */
export async function addWatch(serverless: Serverless): Promise<void> {
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
