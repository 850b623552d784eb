import { AwsCallError } from "../../lib/aws/aws-call.ts";
import { createPost } from "../../lib/aws/post.ts";
import { parseSecret } from "../../lib/aws/secrets/parse-secret.ts";
import { readSecretValue } from "../../lib/aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { ApiKeyRotation } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  createWebhookPasswordRotation,
  type WebhooksApi,
} from "../../lib/operate/rotation/rotate-webhook-password.ts";
import type { RotationTools } from "../../lib/operate/rotation/rotation-tools.ts";
import { createSecretVersions, type SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";
import { createRotationReport } from "./report-rotation.ts";

export interface OpenRotationOptions {
  readonly target: Target;
  readonly edges: CliEdges;
  readonly out: Output;
  readonly app: string;
  /** A key of the platform that was made elsewhere. */
  readonly givenKey?: string | undefined;
  /** The new password is entered in the dashboard. */
  readonly isEntered?: boolean;
  /** Whether the platform's webhooks may have to be changed, with the management credentials. */
  readonly tellsPlatform?: boolean;
}

/** What the rotation commands need. */
export interface OpenRotation {
  readonly tools: RotationTools;
  /** The secret's state when it was opened. */
  readonly state: SecretState;
  readonly receiverUrl: string;
  /** Undefined without management credentials, or if the webhooks are not changed. */
  readonly webhooks: WebhooksApi | undefined;
  /** The same, with a key that was made elsewhere. */
  withKey(givenKey: string): RotationTools;
}

/** Opens an app's secret for a rotation. @throws CliError if the app has none */
export async function openRotation(options: OpenRotationOptions): Promise<OpenRotation> {
  const { target, edges, out, app, givenKey, isEntered = false, tellsPlatform = false } = options;
  const { callAws } = target;
  const stack = await target.stack();
  const prefix = stack.output("SecretPrefix");
  const secret = createSecretVersions(callAws, secretIdOf(prefix, app));
  const state = await secret.read().catch((error: unknown) => {
    if (!(error instanceof AwsCallError) || !/^ResourceNotFound/.test(error.code)) throw error;
    throw new CliError(`There is no secret ${secret.secretId} in ${target.title}.`, {
      code: "NO_SUCH_APP",
      exitCode: exitCodes.notThere,
      hint: "See which apps are served: npx cometchat-functions apps list.",
    });
  });
  const sleep = async (ms: number): Promise<void> => {
    await edges.sleep(ms, edges.signal);
    edges.signal.throwIfAborted(); // sleep returns early without an error
  };
  const receiverUrl = webhookUrlOf(stack.output("HttpApiUrl"), app);
  const webhooks = tellsPlatform
    ? await openWebhooks(target, prefix, stack.output("ChatManagementUrl"))
    : undefined;
  const toolsWith = (given: string | undefined): RotationTools => ({
    secret,
    rotations: {
      "webhook-password": createWebhookPasswordRotation({
        ...{ appId: app, receiverUrl, post: createPost(receiverUrl), sleep },
        webhooks: isEntered ? "entered" : (webhooks ?? "by-hand"),
      }),
      "api-key": new ApiKeyRotation({
        ...{ appId: app, secretArn: state.arn, given, now: edges.now, sleep },
        client: { baseUrlTemplate: stack.output("ChatBaseUrlTemplate"), now: edges.now },
      }),
    },
    ...{ now: edges.now, sleep, newId: edges.token },
    report: createRotationReport(out, edges.now),
  });
  return { tools: toolsWith(givenKey), state, receiverUrl, webhooks, withKey: toolsWith };
}

/** The management credentials are a separate, optional secret. */
async function openWebhooks(
  { callAws }: Target,
  prefix: string,
  baseUrl: string,
): Promise<WebhooksApi | undefined> {
  const secretId = `${prefix}/management`;
  try {
    const { text } = parseSecret(secretId, await readSecretValue(callAws, secretId, "AWSCURRENT"));
    const credentials = { key: text("key"), secret: text("secret") };
    return createManagementClient({ credentials, baseUrl }).webhooks;
  } catch (error) {
    if (error instanceof AwsCallError && /^ResourceNotFound/.test(error.code)) return undefined;
    throw error;
  }
}
