import { isKeyRefused } from "../../lib/operate/rotation/rotate-api-key.ts";
import { type RotatedThing, readRotating } from "../../lib/operate/rotation/rotated-things.ts";
import { RotationError, rotateCommand } from "../../lib/operate/rotation/rotation-error.ts";
import type { RotationWish } from "../../lib/operate/rotation/rotation-tools.ts";
import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { parseApiKey, readSecret } from "../read-secret.ts";
import { toFailure } from "../to-failure.ts";
import { type OpenRotations, openRotations, type RotateContext } from "./open-rotation.ts";
import { planRotation } from "./plan-rotation.ts";
import { mapKeyErrors, nameThings, type RotationCommandResult, toCommandResult } from "./rotation-result.ts";

/** A key: functions may use it for 3 minutes after its replacement, their calls take up to 2. */
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

/** Begins a rotation, or continues one. @throws CliError, RotationError */
export async function replaceValue(
  context: RotateContext,
  thing: RotatedThing,
): Promise<RotationCommandResult> {
  const { edges, out, options, confirm } = context;
  const { overlap: overlapMs = 3_600_000, revokeNow, wait, apiKeyStdin, continue: isEntered } = options;
  // A shorter one would cut off callers that still use the old value.
  if (overlapMs < leastOverlapMs[thing] || overlapMs > longestOverlapMs) {
    throw wrongUse(
      `--overlap is at least ${leastOverlapMs[thing] / 60_000}m here, and at most 30d.`,
      "To end the old one immediately, use --revoke-now.",
    );
  }
  const askKey = async () =>
    parseApiKey(await readSecret(edges, "A key of scope fullAccess, from the dashboard:"), keyHint);
  const open = async (givenKey: string | undefined) => {
    const tellsPlatform = thing === "webhook-password";
    const { app, secrets, ...others } = await openRotations(context, options.app, {
      givenKey,
      isEntered,
      tellsPlatform,
    });
    const secret = secrets.find(({ things }) => things.includes(thing));
    if (secret !== undefined) return { app, ...others, ...secret };
    throw new CliError(
      "notThere",
      "NO_WEBHOOK_SECRET",
      `The app ${app} has no webhook secret in ${context.target.title}.`,
      `Make it: npx cometchat-functions setup --app ${app}`,
    );
  };
  const givenKey = apiKeyStdin ? await askKey() : undefined;
  const opened = await open(givenKey);
  const { app } = opened;
  const things = [thing];
  const wish: RotationWish = {
    things,
    overlapMs,
    pushesOut: options.pushOut,
    overlap: revokeNow ? "end" : wait ? "wait" : "leave",
    isLeaked: revokeNow && !isEntered,
  };
  if (options.dryRun) {
    return { app, things, state: "planned", begun: false, plan: await planRotation(opened, thing, wish) };
  }
  const question = questions[thing][revokeNow ? "now" : "later"];
  await confirm(question.replace("%", app).replace("#", String(overlapMs / 60_000)));
  const run = () =>
    runRotation(opened.tools, wish).catch(async (error: unknown) => {
      if (!isKeyRefused(error) || givenKey !== undefined || edges.ask === undefined) throw error;
      out.note(`The platform refuses the key of app ${app}, so it cannot make another one.`);
      return runRotation((await open(await askKey())).tools, wish);
    });
  const result = await mapKeyErrors(app, run()).catch(async (error) => {
    throw edges.signal.aborted ? error : await withPending(error, opened, thing);
  });
  return toCommandResult(app, things, result);
}

/** Of an interrupted rotation, also what is stored, and how to continue. */
async function withPending(
  error: unknown,
  { app, tools: { secret } }: Pick<OpenRotations["secrets"][number], "tools"> & { readonly app: string },
  thing: RotatedThing,
): Promise<unknown> {
  if (error instanceof RotationError) return error;
  const pending = (await secret.read().catch(() => undefined))?.pending?.fields ?? {};
  if (!readRotating(pending).includes(thing)) return error;
  const { code, message } = toFailure(error);
  const next = `When the cause is over, continue: ${rotateCommand(thing, { appId: app })}`;
  const left = `A new value of ${nameThings([thing])} is stored as pending, and the one in use stays.`;
  return new CliError("partlyDone", code, `${message} ${left}`, next, error);
}
