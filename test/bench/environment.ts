import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import * as z from "zod/mini";
import { projectFolder } from "./esbuild-settings.ts";
import { benchSecret } from "./loopback-aws.ts";

const withEnvironmentSchema = z.object({ environment: z.optional(z.record(z.string(), z.unknown())) });
const serviceSchema = z.object({
  provider: withEnvironmentSchema,
  functions: z.array(z.union([z.record(z.string(), withEnvironmentSchema), z.string()])),
});

/** Returns only what Lambda and serverless.yml set for the functions, with every service at `url`. */
export async function createBenchEnvironment(url: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(projectFolder, "serverless.yml"), "utf8");
  const { provider, functions } = serviceSchema.parse(parseDocument(text, { logLevel: "silent" }).toJS());
  const shipped = functions.flatMap((some) => (typeof some === "string" ? [] : Object.values(some)));
  const declared = [provider, ...shipped].flatMap(({ environment = {} }) =>
    Object.keys(environment).map((name) => [
      name,
      name.endsWith("_URL") ? `${url}/000000000000/${name.toLowerCase()}.fifo` : "bench",
    ]),
  );
  return {
    ...Object.fromEntries(declared),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "a-secret-access-key",
    AWS_SESSION_TOKEN: "t".repeat(800), // about as long as those of Lambda's roles
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_SQS: url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_LAMBDA_FUNCTION_NAME: "bench",
    ENABLED_TRIGGERS: "auto-reply",
    REQUEST_PRIVATE_NETWORKS: "",
    REQUEST_CONNECT_TO: "",
    ORIGIN_KEY_SHA256: "",
    PATIENCE_HOURS: "24",
    EFFECT_DAYS: "35",
    SECRET_REFRESH_SECONDS: "180",
    SECRET_MAX_AGE_HOURS: "12",
    PREVIOUS_CREDENTIALS_MINUTES: "60",
    SIGNED_DELIVERY_HOURS: "24",
    ACT_ON_OLD_EVENTS: "false",
    ANSWER_LIMIT: "20",
    ANSWER_WINDOW_MINUTES: "10",
    BENCH_APP_ID: benchSecret.appId,
    CHAT_BASE_URL_TEMPLATE: `${url}/{appId}.{service}-{region}/v3`,
  };
}
