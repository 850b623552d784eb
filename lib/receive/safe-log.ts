import type { Count } from "../base/count-metric.ts";
import { eachLevel, type Log } from "../base/log.ts";
import type { ProcessLog } from "../base/process-log.ts";

export function neverThrowing(log: Log, count: Count = () => undefined): ProcessLog {
  const quietly = (report: () => void) => {
    try {
      report();
    } catch {
      // Nothing can report it.
    }
  };
  return {
    log: eachLevel((level) => (message, fields) => quietly(() => log[level](message, fields))),
    count: (...counted) => quietly(() => count(...counted)),
  };
}
