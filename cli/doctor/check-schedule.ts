import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { type Found, wrong } from "../../lib/operate/doctor/run-checks.ts";
import { isEmpty } from "../../lib/operate/rotation/next-step.ts";
import { rotatedCredentials } from "../../lib/operate/rotation/rotated-credentials.ts";
import { openAppSecret } from "../../lib/operate/rotation/secret-versions.ts";
import type { Target } from "../target/target.ts";

export async function checkSchedule(
  appId: string,
  { callAws }: Pick<Target, "callAws">,
  secretPrefix: string,
  { abandonRotation }: Remedies,
): Promise<readonly Found[]> {
  const opened = await Promise.all(
    rotatedCredentials.map((credential) => openAppSecret(callAws, secretPrefix, appId, credential)),
  );
  return opened.flatMap(({ secret: { secretId }, state }) =>
    isEmpty(state.pending)
      ? [
          wrong(
            `Secrets Manager's rotation of ${secretId} has stored no value: unless it began just now, it failed.`,
            abandonRotation(appId),
          ),
        ]
      : [],
  );
}
