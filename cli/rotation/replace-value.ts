import { refusesCredentials } from "../../lib/chat/is-code.ts";
import { nextStep, overlapOf } from "../../lib/operate/rotation/next-step.ts";
import { retriesMs, settleMs } from "../../lib/operate/rotation/rotate-webhook-password.ts";
import {
  type RotatedCredential,
  RotationError,
  rotateCommand,
} from "../../lib/operate/rotation/rotated-credentials.ts";
import { lifeMsOf, runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import type { RotationTools, RotationWish, SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import { notThere, partlyDone, refused, wrongUse } from "../cli-error.ts";
import { parseApiKey, readSecret } from "../read-secret.ts";
import { toFailure } from "../to-failure.ts";
import {
  mapKeyErrors,
  nameCredentials,
  type OpenRotations,
  openRotations,
  type RotateContext,
  type RotationCommandResult,
  toCommandResult,
} from "./open-rotation.ts";

/** Functions may use a key for 3 minutes after its replacement; calls take up to 2. */
const leastOverlapMs = { "api-key": 300_000, "webhook-password": 60_000 };
const longestOverlapMs = 30 * 86_400_000;

const questions = {
  "api-key": {
    now: "Replace the API key of app % and delete every other key of its secret now? Calls with the old key fail until each function has read the new one: events wait some seconds and are then handled. Other servers that use the key stop working.",
    later:
      "Replace the API key of app %? The old one is deleted after # min, unless it is an Auth Key; other servers that use it stop working then.",
  },
  "webhook-password": {
    now: "Replace the webhook password of app % and end the old one now? Everything else with this password (questions, extensions) is refused until it has the new one. Running processes accept the old one for up to 3 more minutes.",
    later:
      "Replace the webhook password of app %? The old one is refused after # min; until then, everything else with it (questions, extensions) must get the new one.",
  },
};

const keyHint = "Type or paste the key alone, or write it to standard input: … --api-key-stdin --yes < key";

export async function replaceValue(
  context: RotateContext,
  credential: RotatedCredential,
): Promise<RotationCommandResult> {
  const { edges, out, options, confirm } = context;
  const { overlap: givenMs, revokeNow, wait, apiKeyStdin, continue: isEntered } = options;
  // A shorter one would interrupt callers that use the old value.
  if (givenMs !== undefined && (givenMs < leastOverlapMs[credential] || givenMs > longestOverlapMs)) {
    throw wrongUse(
      `--overlap is at least ${leastOverlapMs[credential] / 60_000}m here, and at most 30d.`,
      "To end the old one immediately, use --revoke-now.",
    );
  }
  const askKey = async () =>
    parseApiKey(await readSecret(edges, "A key of scope fullAccess, from the dashboard:"), keyHint);
  const open = async (givenKey: string | undefined) => {
    const { app, secrets, ...others } = await openRotations(context, options.app, {
      givenKey,
      isEntered,
      updatesPlatform: credential === "webhook-password",
    });
    const secret = secrets.find((one) => one.credential === credential);
    if (secret !== undefined) return { app, ...others, ...secret };
    throw notThere(
      "NO_SECRET",
      `There is no secret for ${nameCredentials([credential])} of app ${app} in ${context.target.title}.`,
      `Make it: npx cometchat-functions setup --app ${app}`,
    );
  };
  const givenKey = apiKeyStdin ? await askKey() : undefined;
  const opened = await open(givenKey);
  const { app } = opened;
  const credentials = [credential];
  const wish: RotationWish = {
    overlapMs: givenMs ?? (revokeNow ? 3_600_000 : await opened.configuredOverlapMs()),
    isGiven: givenMs !== undefined,
    pushesOut: options.pushOut,
    overlap: revokeNow ? "end" : wait ? "wait" : "leave",
    isLeaked: revokeNow && !isEntered,
  };
  if (options.dryRun) {
    const plan = await planRotation(opened, wish);
    return { app, things: credentials, state: "planned", begun: false, plan };
  }
  const question = questions[credential][revokeNow ? "now" : "later"];
  await confirm(question.replace("%", app).replace("#", String(lifeMsOf(wish, opened.state) / 60_000)));
  const run = () =>
    runRotation(opened.tools, wish).catch(async (error: unknown) => {
      if (!refusesCredentials(error) || givenKey !== undefined || edges.ask === undefined) throw error;
      out.note(`The platform refuses the key of app ${app}, so it cannot make another one.`);
      return runRotation((await open(await askKey())).tools, wish);
    });
  const result = await mapKeyErrors(app, run()).catch(async (error) => {
    throw edges.signal.aborted ? error : await withPending(error, opened);
  });
  if (result.state !== "overlapping") return toCommandResult(app, credentials, result);
  if (!result.hasBegun && givenKey === undefined && !isEntered) refuseInOverlap(opened);
  const isDead = await opened.tools.rotation.isDead?.(opened.state).catch(() => false);
  return { ...toCommandResult(app, credentials, result), ...(isDead && { until: undefined }) };
}

function refuseInOverlap({ app, credential, state }: OpenedSecret) {
  const overlap = overlapOf(state.current.fields, credential);
  if (overlap === undefined || state.pending !== undefined) return;
  throw refused(
    "IN_OVERLAP",
    `The old value of ${nameCredentials([credential])} of app ${app} is kept until ${new Date(overlap.untilMs).toISOString()}, and no other rotation begins before. Nothing was changed.`,
    `To end it now: ${rotateCommand("finish --now", { appId: app })}`,
  );
}

type OpenedSecret = OpenRotations["secrets"][number] & { readonly app: string };

async function withPending(
  error: unknown,
  { app, credential, tools: { secret } }: OpenedSecret,
): Promise<unknown> {
  if (error instanceof RotationError) return error;
  const is = await secret
    .read()
    .then((state) => nextStep(state, credential))
    .catch(() => undefined);
  if (is?.step !== "bring-in") return error;
  const { code, message } = toFailure(error);
  const next = `When the cause is over, continue: ${rotateCommand(credential, { appId: app })}`;
  const left = `A new value of ${nameCredentials([credential])} is stored as pending, and the one in use stays.`;
  return partlyDone(code, `${message} ${left}`, next, error);
}

/** @throws RotationError if it would not begin */
async function planRotation(
  opened: OpenedSecret & Pick<OpenRotations, "receiverUrl" | "webhooks">,
  wish: RotationWish,
) {
  const { credential, state, tools, receiverUrl, webhooks } = opened;
  const { overlap: ending, isLeaked = false } = wish;
  const overlap = `${Math.round(lifeMsOf(wish, state) / 60_000)} min`;
  const later = isLeaked ? "Immediately" : `After ${overlap}`;
  if (credential === "api-key" && (await wouldReplace(tools, state, isLeaked))) {
    return [
      "1. Use the given key, or create one of scope fullAccess on the platform, and prove it by a call.",
      "2. Make it the current version, even during another rotation. Functions use it within 3 minutes, or immediately if the old one is refused.",
      `3. ${later} delete the secret's other keys on the platform. Other servers that use them stop working.`,
    ];
  }
  const next = nextStep(state, credential);
  const end = "then end what it replaced";
  if (next.step === "overlap" && !isLeaked) {
    if (ending === "leave" && tools.now() < next.untilMs) refuseInOverlap(opened);
    const until = new Date(next.untilMs).toISOString();
    return [
      `In progress: the value that ${nameCredentials([credential])} replaced is valid until ${until}; ${end}.`,
    ];
  }
  if (next.step === "keep-replaced") {
    return [`Under way: keep what ${nameCredentials([credential])} replaced for ${overlap}, ${end}.`];
  }
  if (next.step === "bring-in") {
    return [
      `In progress: ${nameCredentials([credential])} is pending. Prove, switch over, make it current, ${end}.`,
    ];
  }
  if (credential === "api-key") {
    return [
      "1. Create an API key of scope fullAccess on the platform.",
      "2. Store it as pending, and prove it by a call.",
      "3. Make it the current version. Functions use it within 3 minutes, or immediately if the old one is refused.",
      `4. ${later} delete the old key on the platform. Other servers that use it stop working.`,
    ];
  }
  return [
    "1. Create a password and store it as pending; the receiver accepts it.",
    `2. Wait ${settleMs / 1_000} s, then prove it by a signed request to ${receiverUrl} that is not an event.`,
    webhooks === undefined
      ? "3. Without management credentials: print what to enter in the dashboard, and stop until --continue."
      : `3. Set it on every webhook of the platform that delivers there; wait ${retriesMs / 1_000} s for deliveries in progress.`,
    `4. Make it the current version. ${isLeaked ? "The old password ends immediately." : `The old password stays valid for ${overlap}.`}`,
  ];
}

/** Decides apart from a rotation in progress. @throws RotationError if a given key does not fit */
async function wouldReplace(tools: RotationTools, state: SecretState, isLeaked: boolean) {
  const { rotation } = tools;
  await rotation.proveGiven?.(state.current.fields);
  const isUnderWay = state.pending !== undefined || overlapOf(state.current.fields, "api-key") !== undefined;
  return (isUnderWay || isLeaked) && (await rotation.mustReplace?.(state, isLeaked)) === "replace";
}
