import { deadLettering } from "../../lib/effects/health/breaker.ts";
import type { CheckName, Unknown } from "../../lib/operate/doctor/run-checks.ts";
import type { ExitName } from "../cli-error.ts";
import { type Output, printTable, shownTime } from "../output.ts";
import { namePause, nameWaiting, type PauseResult } from "../pauses/open-pauses.ts";

export interface Status {
  at: string;
  stack: string;
  troubles: {
    says: string;
    type?: string | undefined;
  }[];
  /** `because` if a read was refused or not answered. */
  notLookedAt: {
    what: string;
    why: string;
    because: Unknown["because"];
    type?: string | undefined;
  }[];
  doctor?:
    | {
        at: string;
        failed: number;
      }
    | undefined;
  queues: {
    queue: string;
    waiting: number;
    taken: number;
    /** Some minutes late; absent if CloudWatch has no figure. */
    oldestSeconds?: number | undefined;
  }[];
  functions: {
    function: string;
    invocations: number;
    errors: number;
    throttles: number;
    /** A run of the last five minutes failed, and no later runs prove the cause fixed. */
    failsNow: boolean;
    lastFailedAt?: string | undefined;
    /** No run began after the last throttled one. */
    isThrottledNow: boolean;
    averageMs?: number | undefined;
    longestMs?: number | undefined;
  }[];
  apps: {
    appId: string;
    /** Estimated from a sample if there are many lines. */
    handledPerMinute: number;
    /** From receipt to the end of handling. */
    medianMs?: number | undefined;
    slowMs?: number | undefined;
    failures?: Record<string, number> | undefined;
    /** Those of `failures` after which no event of the app was handled. */
    failing?: string[] | undefined;
    closed: string[];
    /** Parked conversations now or within the hour. */
    isInTrouble: boolean;
    paused: string[];
  }[];
  pauses: PauseResult[];
  target: {
    kind: "local" | "stage";
    stage: string;
    region: string;
    account: string;
    outputs: Record<string, string>;
  };
}

export function endOf({ troubles, notLookedAt }: Status): ExitName {
  return endOfLook(troubles.length > 0 || notLookedAt.some(({ type }) => type !== undefined), notLookedAt);
}

export function endOfLook(
  isUnwell: boolean,
  unseen: readonly { readonly because?: Unknown["because"] | undefined }[],
): ExitName {
  const is = (why: Unknown["because"]) => unseen.some(({ because }) => because === why);
  if (isUnwell || is("gone")) return "unwell";
  if (is("no right")) return "noRights";
  return is("no answer") ? "unreachable" : "done";
}

export function printStatus(status: Status, out: Output): void {
  const { at, stack, troubles, notLookedAt, queues, functions, apps, pauses, target } = status;
  out.line(`${shownTime(at)} UTC, stack ${stack}`);
  if (troubles.length === 0) {
    if (notLookedAt.length === 0)
      out.line(`${out.style("green", "✓")} nothing that is looked at needs attention`);
    out.note(
      `Not looked at: ${Object.values(leftToDoctor).join(", ")}. They are checked by npx cometchat-functions doctor`,
    );
  }
  const toType = (type: string | undefined) => (type === undefined ? "" : `  → ${type}`);
  for (const { says, type } of troubles) out.line(`${out.style("red", "✗")} ${says}${toType(type)}`);
  for (const { what, why, because, type } of notLookedAt) {
    const title = because === "no event" ? "not known yet" : "not looked at";
    out.line(`– ${title}: ${what}. ${why}${toType(type)}`);
  }
  out.line();
  printTable(out, queues, [
    ["queue", "queue"],
    ["waiting", "waiting", "right"],
    ["in hand", "taken", "right"],
    ["oldest", ({ oldestSeconds }) => toSpan(oldestSeconds), "right"],
  ]);
  out.line();
  const isActive = ({ invocations, errors, throttles }: Status["functions"][number]) =>
    invocations + errors + throttles > 0;
  printTable(out, functions.filter(isActive), [
    ["function, last hour", "function"],
    ["runs", "invocations", "right"],
    ["errors", "errors", "right"],
    ["throttled", "throttles", "right"],
    ["average", ({ averageMs }) => toMs(averageMs), "right"],
    ["longest", ({ longestMs }) => toMs(longestMs), "right"],
  ]);
  out.line();
  printTable(out, apps, [
    ["app, last 5 min", "appId"],
    ["events/min", ({ handledPerMinute }) => handledPerMinute.toFixed(1), "right"],
    ["lag (half)", ({ medianMs }) => toMs(medianMs), "right"],
    ["lag (99 %)", ({ slowMs }) => toMs(slowMs), "right"],
    ["", stateOf, 200],
  ]);
  if (pauses.length > 0) out.line();
  for (const { app, what, since, until, by, reason, waiting } of pauses) {
    const says =
      what === "listen"
        ? `A listener acts for app ${app} in the deployment's place`
        : `${namePause({ app, what })} is paused`;
    out.line(`${says} since ${since} until ${until}`);
    out.line(`  by ${by}${reason === undefined ? "" : `: ${reason}`}`);
    if (waiting !== undefined) out.line(`  ${nameWaiting(waiting)} wait`);
  }
  out.line();
  printTable(out, Object.entries(target.outputs), [
    ["address", ([name]) => name],
    ["", ([, value]) => value, 200],
  ]);
}

type LookedAt =
  | ("node" | "rights" | "stack" | "deployed" | "drift" | "functions" | "alarms")
  | ("queue" | "dead-letters" | "quarantine" | "secret" | "key" | "webhook")
  | ("deliveries" | "failing" | "paused" | "waiting");

/** Says what status does not check while no finding blames it. */
const leftToDoctor: Readonly<Record<Exclude<CheckName, LookedAt>, string>> = {
  receiver: "the receiver",
  triggers: "subscribed triggers",
  retries: "retries of webhooks",
  "legacy-webhooks": "the legacy engine",
  rotation: "rotations",
  arrivals: "messages that do not arrive",
  resources: "changed functions, roles and alarms",
  subscribers: "subscribers of alarms",
  limits: "the account's limits",
  clock: "this machine's clock",
  plan: "the app's plan",
  canary: "canaries",
};

function stateOf({ closed, isInTrouble, paused }: Status["apps"][number]) {
  const pauses = paused.filter((what) => what !== "lease");
  const hosts = closed.filter((destination) => destination !== deadLettering);
  return [
    ...(pauses.length > 0 ? [`paused: ${pauses.join(", ")}`] : []),
    ...(pauses.length < paused.length ? ["a listener acts"] : []),
    ...(hosts.length > 0 ? [`closed: ${hosts.join(", ")}`] : []),
    ...(hosts.length < closed.length ? ["events are held back: too many are dead-lettered"] : []),
    ...(isInTrouble ? ["conversations are parked, or were within the hour"] : []),
  ].join("; ");
}

function toMs(ms: number | undefined) {
  if (ms === undefined) return "–";
  return ms < 10_000 ? `${Math.round(ms)} ms` : toSpan(ms / 1000);
}

function toSpan(seconds: number | undefined) {
  if (seconds === undefined) return "–";
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
