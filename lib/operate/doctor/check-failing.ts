import { countOf } from "../../base/count-of.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, wrong } from "./finding.ts";
import type { RecentLogs } from "./recent-logs.ts";

export async function checkFailing(
  appId: string,
  { remedies }: Pick<DoctorServices, "remedies">,
  logs: RecentLogs,
): Promise<readonly Found[]> {
  const found = (await logs.failing(appId)).map(({ what, sinceMs, count, cause }) =>
    wrong(
      `The ${what} fails since ${new Date(sinceMs).toISOString().slice(0, 16)}Z, ${countOf(count, "time")}: ${cause}`,
      remedies.logs(appId),
    ),
  );
  return found.length > 0 ? found : [ok("The last run of each trigger and flow did not fail.")];
}
