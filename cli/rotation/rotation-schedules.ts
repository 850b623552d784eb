import * as z from "zod/mini";
import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { AwsCallError, type AwsCaller } from "../../lib/aws/aws-call.ts";
import {
  type RotationSettings,
  rotationSettingsSchema,
} from "../../lib/operate/rotation/rotation-settings.ts";

/** The change that makes Secrets Manager rotate an app's secret as configured. */
export interface ScheduleChange {
  readonly app: string;
  /** `missing`: the app has no secret yet. */
  readonly does: "turn on" | "change" | "turn off" | "leave" | "missing";
  /** How often it will rotate; undefined if not at all. */
  readonly everyDays?: number | undefined;
}

const fileName = "rotation.yml";

/** Reads the settings of each app of a stage in config/rotation.yml. @throws ConfigFileError */
export async function readRotationSettings(
  projectFolder: string,
  stage: string,
): Promise<(appId: string) => RotationSettings> {
  const { apps, default: shared } = settingsOf(
    fileName,
    await readConfigLayers(projectFolder, fileName, stage),
  );
  return (appId) => rotationSettingsSchema.parse(apps[appId] ?? shared);
}

/** Compares Secrets Manager's schedule with the wanted one. @throws AwsCallError */
export async function planSchedule(
  callAws: AwsCaller,
  secretId: string,
  app: string,
  { rotate, everyDays }: RotationSettings,
  lambdaArn: string,
): Promise<ScheduleChange> {
  const isWanted = rotate != null && rotate.length > 0;
  try {
    const is = describedSchema.parse(await call(callAws, "DescribeSecret", { SecretId: secretId }));
    if (!isWanted) return { app, does: is.RotationEnabled === true ? "turn off" : "leave" };
    if (is.RotationEnabled !== true) return { app, does: "turn on", everyDays };
    const isSame =
      is.RotationLambdaARN === lambdaArn && is.RotationRules?.AutomaticallyAfterDays === everyDays;
    return { app, does: isSame ? "leave" : "change", everyDays };
  } catch (error) {
    if (error instanceof AwsCallError && /^ResourceNotFound/.test(error.code))
      return { app, does: "missing" };
    throw error;
  }
}

/**
 * Applies the change. Turning on does not rotate yet: Secrets Manager only asks the function whether it
 * could. May be repeated.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
export async function applySchedule(
  callAws: AwsCaller,
  secretId: string,
  { does, everyDays }: ScheduleChange,
  lambdaArn: string,
  token: string,
): Promise<void> {
  if (does === "turn off") await call(callAws, "CancelRotateSecret", { SecretId: secretId });
  if (does !== "turn on" && does !== "change") return;
  await call(callAws, "RotateSecret", {
    ...{ SecretId: secretId, ClientRequestToken: token, RotationLambdaARN: lambdaArn },
    RotationRules: { AutomaticallyAfterDays: everyDays },
    RotateImmediately: false,
  });
}

function call(callAws: AwsCaller, operation: string, input: Readonly<Record<string, unknown>>) {
  return callAws({ service: "secretsmanager", target: `secretsmanager.${operation}`, input });
}

const describedSchema = z.object({
  RotationEnabled: z.optional(z.boolean()),
  RotationLambdaARN: z.optional(z.string()),
  RotationRules: z.optional(z.object({ AutomaticallyAfterDays: z.optional(z.number()) })),
});
