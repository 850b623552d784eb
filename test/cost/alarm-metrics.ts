import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { alarmDefinitionsSchema } from "../../build/alarms/alarm-definitions.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Counts the metrics that the alarms of a deployment look at, as they ship: two for a share, one for each function. */
export function countAlarmMetrics(): number {
  const functions = [...read("serverless.yml").matchAll(/^ {4}handler: /gm)].length;
  const alarms = alarmDefinitionsSchema.parse(parse(read("infrastructure/alarms.yml")));
  return Object.values(alarms).reduce((sum, { of }) => {
    if ("functions" in of) return sum + functions;
    return sum + ("api" in of ? 2 : 1);
  }, 0);
}
