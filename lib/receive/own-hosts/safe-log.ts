import type { Count } from "../../base/count-metric.ts";
import { eachLevel, type Log, type ProcessLog } from "../../base/log.ts";

export function neverThrowing(log: Log, count: Count = () => undefined): ProcessLog {
  const quietly = (report: () => void) => {
    try {
      report();
    } catch {}
  };
  return {
    log: eachLevel((level) => (message, fields) => quietly(() => log[level](message, fields))),
    count: (...counted) => quietly(() => count(...counted)),
  };
}
