import { type Aws, addressesIn } from "../simulated/aws.ts";
import { flowsFunctionName } from "./kit-flows.ts";

export const secretPrefix = "kit";
export const loopGuardSecretId = "kit-loop-guard";

export function settingsFor(aws: Aws): Readonly<Record<string, string>> {
  return {
    ...addressesIn(aws),
    AWS_ACCESS_KEY_ID: "kit",
    AWS_SECRET_ACCESS_KEY: "kit",
    SECRET_PREFIX: secretPrefix,
    LOOP_GUARD_SECRET_ID: loopGuardSecretId,
    FLOWS_FUNCTION_NAME: flowsFunctionName,
    EVENT_BUS_NAME: "kit",
    PATIENCE_HOURS: process.env.PATIENCE_HOURS ?? "2", // an outage is tried every 30 s
  };
}

/** Deployed code reads its environment when built; the rest of this process must not see it. */
export function withSettings<T>(settings: Readonly<Record<string, string>>, build: () => T): T {
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  try {
    return build();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
