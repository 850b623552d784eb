import type { Count } from "../base/count-metric.ts";
import type { Log } from "../base/log.ts";
import type { ProcessLog } from "../base/process-log.ts";

/** Gives the same log and metrics, whose own failures stop nothing: somebody else made them. */
export function neverThrowing(log: Log, count: Count = () => undefined): ProcessLog {
  const quietly = (tell: () => void) => {
    try {
      tell();
    } catch {
      // What tells of the work must not stop it: there is nobody else to tell.
    }
  };
  return {
    log: {
      debug: (message, fields) => quietly(() => log.debug(message, fields)),
      info: (message, fields) => quietly(() => log.info(message, fields)),
      warn: (message, fields) => quietly(() => log.warn(message, fields)),
      error: (message, fields) => quietly(() => log.error(message, fields)),
    },
    count: (...counted) => quietly(() => count(...counted)),
  };
}
