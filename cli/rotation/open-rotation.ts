import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { createPost } from "../../lib/aws/post.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { ApiKeyRotation } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  createWebhookPasswordRotation,
  type WebhooksApi,
} from "../../lib/operate/rotation/rotate-webhook-password.ts";
import type { RotationTools } from "../../lib/operate/rotation/rotation-tools.ts";
import { createSecretVersions, type SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { openDeployedManagement } from "../target/open-management.ts";
import { createRotationReport } from "./report-rotation.ts";
import { chooseApp } from "./rotation-options.ts";

export interface OpenRotationOptions {
  /** Default: the stage's only app. */
  readonly named: string | undefined;
  /** Made elsewhere. */
  readonly givenKey?: string | undefined;
  /** In the dashboard. */
  readonly isEntered?: boolean;
  /** Whether webhooks may have to be changed, with the management credentials. */
  readonly tellsPlatform?: boolean;
}

export interface OpenRotation {
  readonly app: string;
  readonly tools: RotationTools;
  /** When it was opened. */
  readonly state: SecretState;
  readonly receiverUrl: string;
  /** Undefined without management credentials, or if webhooks do not change. */
  readonly webhooks: WebhooksApi | undefined;
  /** With a key made elsewhere. */
  withKey(givenKey: string): RotationTools;
}

/** @throws CliError if the app has no secret, or must be named */
export async function openRotation(
  { target, edges, out }: WorkContext,
  { named, givenKey, isEntered = false, tellsPlatform = false }: OpenRotationOptions,
): Promise<OpenRotation> {
  const app = await chooseApp(named, target, edges);
  const { callAws } = target;
  const stack = await target.stack();
  const prefix = stack.output("SecretPrefix");
  const secret = createSecretVersions(callAws, secretIdOf(prefix, app));
  const state = await secret.read().catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      "notThere",
      "NO_SUCH_APP",
      `There is no secret ${secret.secretId} in ${target.title}.`,
      "See which apps are served: npx cometchat-functions apps list.",
    );
  });
  const sleep = async (ms: number): Promise<void> => {
    await edges.sleep(ms, edges.signal);
    edges.signal.throwIfAborted();
  };
  const receiverUrl = webhookUrlOf(stack.output("HttpApiUrl"), app);
  const webhooks = tellsPlatform ? (await openDeployedManagement(target))?.webhooks : undefined;
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
  return { app, tools: toolsWith(givenKey), state, receiverUrl, webhooks, withKey: toolsWith };
}
