import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { createPost } from "../../lib/aws/post.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { openAppSecrets, type RotatedSecret } from "../../lib/operate/rotation/app-secrets.ts";
import { ApiKeyRotation } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  createWebhookPasswordRotation,
  type WebhooksApi,
} from "../../lib/operate/rotation/rotate-webhook-password.ts";
import type { RotatedThing } from "../../lib/operate/rotation/rotated-things.ts";
import type { RotationTools } from "../../lib/operate/rotation/rotation-tools.ts";
import type { SecretState } from "../../lib/operate/rotation/secret-versions.ts";
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
  /** What of the secret can be rotated. */
  readonly things: readonly RotatedThing[];
  readonly tools: RotationTools;
  /** When it was opened. */
  readonly state: SecretState;
  readonly receiverUrl: string;
  /** Undefined without management credentials, or if webhooks do not change. */
  readonly webhooks: WebhooksApi | undefined;
  /** With a key made elsewhere. */
  withKey(givenKey: string): RotationTools;
}

/** Those of an app's secrets. */
export type OpenRotations = readonly [OpenRotation, ...OpenRotation[]];

/** Opens the secret that holds one thing. @throws CliError as `openRotations`, or if it does not exist */
export async function openRotation(
  context: WorkContext,
  thing: RotatedThing,
  options: OpenRotationOptions,
): Promise<OpenRotation> {
  const opened = await openRotations(context, options);
  const [{ app }] = opened;
  const one = opened.find(({ things }) => things.includes(thing));
  if (one !== undefined) return one;
  throw new CliError(
    "notThere",
    "NO_WEBHOOK_SECRET",
    `The app ${app} has no webhook secret in ${context.target.title}.`,
    `Make it: npx cometchat-functions setup --app ${app}`,
  );
}

/**
 * Opens an app's secrets for rotations: one for its key, and one for the webhook's password.
 * @throws CliError if the app has none, or must be named
 */
export async function openRotations(
  { target, edges, out }: WorkContext,
  { named, givenKey, isEntered = false, tellsPlatform = false }: OpenRotationOptions,
): Promise<OpenRotations> {
  const app = await chooseApp(named, target, edges);
  const { callAws } = target;
  const stack = await target.stack();
  const prefix = stack.output("SecretPrefix");
  const secrets = await openAppSecrets(callAws, prefix, app).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      "notThere",
      "NO_SUCH_APP",
      `There is no secret ${secretIdOf(prefix, app)} in ${target.title}.`,
      "See which apps are served: npx cometchat-functions apps list.",
    );
  });
  const sleep = async (ms: number): Promise<void> => {
    await edges.sleep(ms, edges.signal);
    edges.signal.throwIfAborted();
  };
  const receiverUrl = webhookUrlOf(stack.output("HttpApiUrl"), app);
  const webhooks = tellsPlatform ? (await openDeployedManagement(target))?.webhooks : undefined;
  const toolsOf = ({ secret, state }: RotatedSecret, given: string | undefined): RotationTools => ({
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
  const open = (opened: RotatedSecret): OpenRotation => ({
    ...{ app, things: opened.things, state: opened.state, receiverUrl, webhooks },
    tools: toolsOf(opened, givenKey),
    withKey: (given) => toolsOf(opened, given),
  });
  const [first, ...others] = secrets;
  return [open(first), ...others.map(open)];
}
