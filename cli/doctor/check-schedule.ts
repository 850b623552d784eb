import { readAppsOf } from "../../build/served-apps.ts";
import { lazy } from "../../lib/base/lazy.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { wrong } from "../../lib/operate/doctor/run-checks.ts";
import { isEmpty } from "../../lib/operate/rotation/next-step.ts";
import { rotatedCredentials } from "../../lib/operate/rotation/rotated-credentials.ts";
import { openAppSecret } from "../../lib/operate/rotation/secret-versions.ts";
import type { CliEdges } from "../edges.ts";
import { readRotationSettings } from "../rotation/read-rotation-settings.ts";
import type { Target } from "../target/target.ts";

interface ScheduleCheckOptions {
  readonly target: Pick<Target, "callAws" | "kind" | "stage">;
  readonly projectFolder: CliEdges["projectFolder"];
  readonly secretPrefix: string;
  readonly remedies: Remedies;
}

export function openScheduleCheck({ target, projectFolder, secretPrefix, remedies }: ScheduleCheckOptions) {
  const { callAws, kind, stage } = target;
  const configured = lazy(async () => {
    const [apps, settingsOf] = await Promise.all([
      readAppsOf(projectFolder, stage),
      readRotationSettings(projectFolder, stage),
    ]);
    return (appId: string) => (apps.includes(appId) ? settingsOf(appId).rotate : undefined) ?? [];
  });
  return async (appId: string) => {
    const opened = await Promise.all(
      rotatedCredentials.map((credential) => openAppSecret(callAws, secretPrefix, appId, credential)),
    );
    const wanted =
      kind === "local"
        ? []
        : await configured().then(
            (read) => read(appId),
            () => [],
          );
    return opened.flatMap(({ secret: { secretId }, credential, state: { pending, isScheduled } }) => [
      ...(isEmpty(pending)
        ? [
            wrong(
              `Secrets Manager's rotation of ${secretId} has stored no value: unless it began just now, it failed.`,
              remedies.abandonRotation(appId),
            ),
          ]
        : []),
      ...(wanted.includes(credential) && !isScheduled
        ? [
            wrong(
              `config/rotation.yml rotates ${secretId}, and in Secrets Manager its rotation is off.`,
              remedies.scheduleRotation(appId),
            ),
          ]
        : []),
    ]);
  };
}
