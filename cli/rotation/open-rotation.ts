import { readAppsOf } from "../../build/served-apps.ts";
import { unlessNotFound } from "../../lib/aws/aws-call.ts";
import { createPost } from "../../lib/aws/post.ts";
import { secretIdOf } from "../../lib/aws/secrets/read-secret-value.ts";
import { durationMs } from "../../lib/base/config-fields.ts";
import { refusesCredentials } from "../../lib/chat/is-code.ts";
import { ApiKeyRotation } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  connectBots,
  createWebhookPasswordRotation,
} from "../../lib/operate/rotation/rotate-webhook-password.ts";
import {
  type RotatedCredential,
  rotateCommand,
  rotatedCredentials,
} from "../../lib/operate/rotation/rotated-credentials.ts";
import type { RotationResult } from "../../lib/operate/rotation/run-rotation.ts";
import { openAppSecret, type RotationProgress } from "../../lib/operate/rotation/secret-versions.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { noRights, notThere, wrongUse } from "../cli-error.ts";
import { duration, flag, type OptionValues, texts, type WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { meantApp } from "../target/served-apps.ts";
import { openDeployedManagement } from "../target/target.ts";
import { readRotationSettings } from "./read-rotation-settings.ts";

/** Options of all forms; commands/rotate.ts refuses those that a form does not take. */
export const rotateOptions = {
  app: texts("<id>", "the app (default: the one that the stage serves); for schedule several (default: all)"),
  overlap: duration("how long the old one stays valid (default: that of config/rotation.yml)"),
  wait: flag("wait until the overlap is over and end it"),
  revokeNow: flag("after a leak: replace the one in use, and end all others now"),
  pushOut: flag("allow ending old values of the last manual change"),
  apiKeyStdin: flag(
    "read a key made in the dashboard from standard input; on a terminal, ask for it without showing it",
  ),
  continue: flag("the password was entered in the dashboard by hand: the new one, or with --abandon the old"),
  now: flag("finish: do not wait for the overlap's end"),
  abandon: flag("finish: abandon a pending rotation, before it is in use"),
  dryRun: flag("show what would be done, or for finish the state, and change nothing"),
};

export type RotateContext = WorkContext & { readonly options: OptionValues<typeof rotateOptions> };

interface OpenRotationOptions {
  readonly givenKey?: string | undefined;
  readonly isEntered?: boolean;
  readonly updatesPlatform?: boolean;
}

export type OpenRotations = Awaited<ReturnType<typeof openRotations>>;

/**
 * Opens the existing ones of two secrets: the app's key, and the webhook's password.
 * @param named default: the stage's only app
 * @throws CliError if the app has neither, or must be named
 */
export async function openRotations(
  { target, edges, out }: WorkContext,
  named: readonly string[],
  { givenKey: given, isEntered = false, updatesPlatform = false }: OpenRotationOptions = {},
) {
  const served = await readAppsOf(edges.projectFolder, target.stage);
  if (named.length > 1) throw wrongUse("Name one app.");
  // Another checkout may list it.
  const app = named[0] ?? meantApp(undefined, { appIds: served });
  const stack = await target.stack();
  const prefix = stack.output("SecretPrefix");
  const open = (credential: RotatedCredential) => openAppSecret(target.callAws, prefix, app, credential);
  const opened = await Promise.all(rotatedCredentials.map((credential) => unlessNotFound(open(credential))));
  const secrets = opened.filter((secret) => secret !== undefined);
  if (secrets.length === 0) {
    throw notThere(
      "NO_SUCH_APP",
      `There is no secret ${secretIdOf(prefix, app)} in ${target.title}.`,
      "See which apps are served: npx cometchat-functions status",
    );
  }
  const { now, token: newId, signal } = edges;
  const sleep = async (ms: number) => {
    await edges.sleep(ms, signal);
    signal.throwIfAborted();
  };
  const receiverUrl = webhookUrlOf(stack.output("HttpApiUrl"), app);
  const client = { baseUrlTemplate: stack.output("ChatBaseUrlTemplate"), now };
  const webhooks = updatesPlatform ? (await openDeployedManagement(target))?.webhooks : undefined;
  const passwords = createWebhookPasswordRotation({
    appId: app,
    receiverUrl,
    post: createPost(receiverUrl),
    sleep,
    webhooks: isEntered ? "entered" : (webhooks ?? "by-hand"),
    note: (text) => out.note(text),
    bots: async () => connectBots({ ...client, appId: app }, (await open("api-key")).state.current.fields),
  });
  return {
    app,
    configuredOverlapMs: async () =>
      durationMs((await readRotationSettings(edges.projectFolder, target.stage))(app).overlap),
    receiverUrl,
    webhooks,
    secrets: secrets.map(({ credential, secret, state }) => {
      const keys = new ApiKeyRotation({ appId: app, secretArn: state.arn, given, client, now, sleep });
      const rotation = credential === "api-key" ? keys : passwords;
      const what = nameCredentials([credential]);
      const report = (progress: RotationProgress) => {
        if (progress.doing !== "wait") return out.note(said[progress.doing].replace("%", what));
        const minutes = Math.ceil((progress.untilMs - now()) / 60_000);
        out.progress(`the old one of ${what} stays valid for ${minutes} min; Ctrl-C loses nothing`);
      };
      return { credential, state, tools: { credential, secret, rotation, now, sleep, newId, report } };
    }),
  };
}

const said = {
  make: "making a new value of %",
  prove: "stored as pending; waiting until it is accepted everywhere, then proving %",
  switch: "proven; switching over, and waiting for calls in progress with the old one",
  promote: "making it the current version",
  keep: "keeping the old one for the overlap",
  replace: "replacing % now, even during another rotation",
  retire: "ending the old one of %",
  sweep: "deleted an unused one that no version of the secret has: %",
} as const;

export interface RotationCommandResult {
  app: string;
  things: readonly RotatedCredential[];
  /** `planned`: a rehearsal, nothing was changed. `idle`: no rotation was in progress. */
  state: "planned" | "rotated" | "overlapping" | "pending" | "idle" | "abandoned";
  begun: boolean;
  until?: string | undefined;
  plan?: readonly string[] | undefined;
}

export function toCommandResult(
  app: string,
  credentials: readonly RotatedCredential[],
  { state, hasBegun, untilMs }: RotationResult,
): RotationCommandResult {
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  return { app, things: credentials, state, begun: hasBegun, until };
}

const words: Readonly<Record<RotatedCredential, string>> = {
  "webhook-password": "the webhook's password",
  "api-key": "the API key",
};

export function nameCredentials(credentials: readonly RotatedCredential[]): string {
  return credentials.map((credential) => words[credential]).join(" and ");
}

export function printRotation(
  { app, things: credentials, state, begun, until, plan = [] }: RotationCommandResult,
  out: Output,
): void {
  const again = credentials.length === 1 ? " Run it again for a new rotation." : "";
  const lines: Readonly<Record<typeof state, readonly string[]>> = {
    planned: [...plan, "Nothing was changed."],
    rotated: [begun ? `Rotated for app ${app}.` : `Finished the earlier rotation of app ${app}.${again}`],
    overlapping: [
      begun
        ? `Rotated for app ${app}: the new one is in use.`
        : `App ${app}: the last rotation's new one is in use; no other rotation begins before the old one ends.`,
      ...(until === undefined
        ? []
        : [
            `The old one is valid until ${until}. The schedule ends it then; to end it now: ${rotateCommand("finish --now", { appId: app })}`,
          ]),
    ],
    pending: [`A rotation of app ${app} is pending: run its command again.`],
    idle: [`No rotation of app ${app} is in progress.`],
    abandoned: [`Abandoned the pending rotation of app ${app}: the credentials in use stay.`],
  };
  for (const line of lines[state]) out.line(line);
}

export async function mapKeyErrors<T>(app: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!refusesCredentials(error)) throw error;
    throw noRights(
      error.code,
      `The platform refuses the API key of app ${app} (${error.code}). It was not changed.`,
      `Take a REST API key (scope fullAccess) from the dashboard, then type: ${rotateCommand("api-key --api-key-stdin", { appId: app })}`,
      error,
    );
  }
}
