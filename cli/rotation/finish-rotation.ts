import { abandonRotation } from "../../lib/operate/rotation/four-steps.ts";
import { isEmpty, nextStep, overlapOf } from "../../lib/operate/rotation/next-step.ts";
import {
  isBeingTakenBack,
  isRotating,
  type RotatedCredential,
  RotationError,
  rotateCommand,
  rotatedCredentials,
} from "../../lib/operate/rotation/rotated-credentials.ts";
import { type RotationResult, runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { stoppedAfter } from "../change-each.ts";
import { refused, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import {
  mapKeyErrors,
  nameCredentials,
  type OpenRotations,
  openRotations,
  type RotateContext,
  type RotationCommandResult,
  toCommandResult,
} from "./open-rotation.ts";

export type RotationState = ReturnType<typeof readState> & { readonly plan: readonly string[] };

export async function finishRotation(context: RotateContext) {
  const { confirm, edges, options } = context;
  const { now, wait, abandon, continue: isEntered } = options;
  if (abandon && (now || wait)) throw wrongUse("--abandon cannot be combined with --now and --wait.");
  if (isEntered && !abandon) throw wrongUse("--continue requires --abandon.");
  const opened = await openRotations(context, options.app, { updatesPlatform: abandon, isEntered });
  if (options.dryRun) {
    const nowMs = edges.now();
    const plan = abandon ? planAbandon(opened, isEntered) : planEnd(opened, { now, wait, nowMs });
    return { ...readState(opened, nowMs), plan };
  }
  if (abandon) return await abandonPending(opened, isEntered, confirm);
  const { app, secrets } = opened;
  await confirm(
    now
      ? `End the old values of app ${app} now? Callers that still use them are refused: functions for some seconds, others permanently.`
      : `End the old values of app ${app} whose overlap is over?`,
  );
  const overlap = now ? "end" : wait ? "wait" : "leave";
  const overlapMs = now ? 0 : await opened.configuredOverlapMs();
  const wish = { overlapMs, isGiven: now, beginsNew: false, bringsIn: false, overlap } as const;
  // A stuck rotation does not stop the other secret's overlap.
  const ends = await Promise.allSettled(
    secrets.map(({ tools }) => mapKeyErrors(app, runRotation(tools, wish))),
  );
  const failed = ends.find((end) => end.status === "rejected");
  const results = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  if (failed === undefined) return toCommandResult(app, rotatedCredentials, mostUnfinished(results));
  const ended = secrets.filter((_, index) => {
    const end = ends[index];
    return end?.status === "fulfilled" && end.value.state === "rotated";
  });
  if (ended.length === 0) throw failed.reason;
  const names = nameCredentials(ended.map(({ credential }) => credential));
  const words = `finish${now ? " --now" : wait ? " --wait" : ""}`;
  throw stoppedAfter(
    failed.reason,
    `Already ended: the old value of ${names}.`,
    rotateCommand(words, { appId: app }),
  );
}

function mostUnfinished(results: readonly RotationResult[]) {
  const order = ["overlapping", "pending", "rotated", "idle"];
  const [first = { state: "idle" as const, hasBegun: false }] = results.toSorted(
    (one, other) =>
      order.indexOf(one.state) - order.indexOf(other.state) || (one.untilMs ?? 0) - (other.untilMs ?? 0),
  );
  return first;
}

function planEnd(
  { secrets }: OpenRotations,
  { now, wait, nowMs }: Readonly<{ now: boolean; wait: boolean; nowMs: number }>,
) {
  const overlaps = overlapsIn(secrets);
  if (overlaps.length === 0)
    return ["End nothing, but delete keys that no version of the secret has, once they are ten minutes old."];
  const plan = overlaps.flatMap(({ credential, untilMs }) => {
    const isOver = now || untilMs <= nowMs;
    if (!isOver && !wait) return [];
    return [
      `${isOver ? "End now" : `Wait until ${iso(untilMs)}, and end`} the old value of ${nameCredentials([credential])}.`,
    ];
  });
  return plan.length > 0
    ? plan
    : ["Nothing is ended yet: add --wait to wait until then, or --now to end it at once."];
}

type OpenSecret = OpenRotations["secrets"][number];

function overlapsIn(secrets: readonly OpenSecret[]) {
  return secrets.flatMap(({ credential, state }) => {
    const overlap = overlapOf(state.current.fields, credential);
    return overlap === undefined ? [] : [{ credential, untilMs: overlap.untilMs }];
  });
}

function planAbandon(opened: OpenRotations, isEntered: boolean) {
  const credentials = credentialsToAbandon(opened, isEntered);
  return [
    credentials.length > 0
      ? `Withdraw the pending value of ${nameCredentials(credentials)}.`
      : "Withdraw nothing.",
  ];
}

function isPending({ state: { pending } }: OpenSecret) {
  return isEmpty(pending) || isRotating(pending?.fields) || isBeingTakenBack(pending?.fields);
}

function credentialsToAbandon({ webhooks, secrets }: OpenRotations, isEntered: boolean) {
  const pending = secrets.filter(isPending);
  const isOnPlatform = pending.some(
    ({ credential, state }) => credential === "webhook-password" && !isEmpty(state.pending),
  );
  if (isOnPlatform && webhooks === undefined && !isEntered) {
    throw refused(
      "NO_MANAGEMENT",
      "There are no management credentials, so the platform's webhooks cannot be set to the password in use.",
      "Enter the password of the secret's current version in the dashboard, then add --continue.",
    );
  }
  return pending.map(({ credential }) => credential);
}

async function abandonPending(
  opened: OpenRotations,
  isEntered: boolean,
  confirm: WorkContext["confirm"],
): Promise<RotationCommandResult> {
  const { app, secrets } = opened;
  const credentials = credentialsToAbandon(opened, isEntered);
  await confirm(`Abandon the pending rotation of app ${app}? That takes minutes, and Ctrl-C loses nothing.`);
  const taken: RotatedCredential[] = [];
  for (const secret of secrets) {
    const isMeant = credentials.length === 0 || isPending(secret);
    if (isMeant && (await abandonRotation(secret.tools))) taken.push(secret.credential);
  }
  return { app, things: taken, state: taken.length === 0 ? "idle" : "abandoned", begun: false };
}

function readState({ app, secrets }: OpenRotations, nowMs: number) {
  const looked = secrets.map((secret) => look(secret, app, nowMs));
  const pending = secrets.flatMap(({ credential, state: { pending, current } }) =>
    pending === undefined || pending.id === current.id ? [] : [{ credential, ...pending }],
  );
  const sinceMs = secrets.flatMap(({ state }) => state.current.createdAtMs ?? []);
  const pendingMs = pending.flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return {
    app,
    currentSince: sinceMs.length === 0 ? undefined : iso(Math.max(...sinceMs)),
    pending:
      pending.length === 0
        ? undefined
        : {
            things: pending.filter(({ fields }) => isRotating(fields)).map(({ credential }) => credential),
            since: pendingMs.length === 0 ? undefined : iso(Math.min(...pendingMs)),
          },
    overlaps: overlapsIn(secrets).map(({ credential, untilMs }) => ({
      thing: credential,
      until: iso(untilMs),
      isOver: untilMs <= nowMs,
    })),
    ...looked.find(({ next }) => next !== undefined),
    ...looked.find(({ trouble }) => trouble !== undefined),
  };
}

function look(
  { state, credential }: OpenSecret,
  app: string,
  nowMs: number,
): { trouble?: string; next?: string } {
  try {
    const next = nextStep(state, credential);
    if (next.step === "bring-in" || next.step === "keep-replaced")
      return { next: `rotate ${credential} --app ${app}` };
    return next.step === "overlap" && next.untilMs <= nowMs ? { next: `rotate finish --app ${app}` } : {};
  } catch (error) {
    if (!(error instanceof RotationError)) throw error;
    return { trouble: `${error.message} ${error.hint}` };
  }
}

export function printRotationState(
  { app, currentSince, pending, overlaps, trouble, next, plan }: RotationState,
  out: Output,
): void {
  out.line(`App ${app}: credentials in use since ${currentSince ?? "an unknown time"}.`);
  if (pending) {
    const credentials = nameCredentials(pending.things) || "unknown";
    out.line(`Pending since ${pending.since ?? "an unknown time"}: ${credentials}.`);
  }
  for (const { thing, until, isOver } of overlaps) {
    out.line(`The old value of ${nameCredentials([thing])} ${isOver ? "was" : "is"} valid until ${until}.`);
  }
  if (trouble !== undefined) out.line(trouble);
  if (next !== undefined) out.line(`Next: npx cometchat-functions ${next}`);
  out.line(`Without --dry-run: ${plan.join(" ")}`);
}

function iso(ms: number) {
  return new Date(ms).toISOString();
}
