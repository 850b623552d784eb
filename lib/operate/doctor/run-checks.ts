import { AwsCallError, isNotFound } from "../../aws/aws-call.ts";
import { awsTroubleIn, missingActionIn } from "../../aws/aws-trouble.ts";
import { mapConcurrently } from "../../base/batching.ts";
import { describeError } from "../../base/describe-error.ts";
import { readField } from "../../base/errors.ts";
import { withTimeout } from "../../base/timers.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { describeLack, lacksFeature, planHint } from "../../chat/lacks-feature.ts";

export type Looked = Found | readonly Found[];

export interface Check {
  readonly name: CheckName;
  /** Absent for the whole deployment. */
  readonly appId?: string;
  /** Changes nothing. Reports an error as `unknown`. */
  run(): Promise<Looked>;
  readonly limitMs?: number;
}

interface RunChecksOptions {
  readonly atOnce: number;
  readonly limitMs: number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** No further check begins after it aborts. */
  readonly signal?: AbortSignal;
  readonly onDone?: (done: number) => void;
}

/** Runs checks concurrently, and keeps their order. Never throws: a hanging check ends after its time. */
export async function runChecks(
  checks: readonly Check[],
  { atOnce, limitMs, sleep, signal, onDone }: RunChecksOptions,
): Promise<readonly Finding[]> {
  let done = 0;
  const found = await mapConcurrently(checks, atOnce, async (check) => {
    if (signal?.aborted) return [];
    const { name, appId } = check;
    const looked = await lookWithin(() => check.run(), check.limitMs ?? limitMs, sleep);
    done += 1;
    onDone?.(done);
    return [looked].flat().map((one) => ({ ...one, check: name, ...(appId !== undefined && { appId }) }));
  });
  return found.flat();
}

export function lookWithin<Result>(
  look: () => Promise<Result>,
  limitMs: number,
  sleep: RunChecksOptions["sleep"],
): Promise<Result | Unknown> {
  const endLook = () => without("no answer", `It took longer than ${Math.round(limitMs / 1000)} s.`);
  return withTimeout(look, limitMs, endLook, sleep).catch(whyUnknown);
}

/** docs/maintain.md has a line for each. */
export const checkNames = [
  "node",
  "rights",
  "stack",
  "deployed",
  "drift",
  "clock",
  "limits",
  "functions",
  "resources",
  "alarms",
  "subscribers",
  "queue",
  "dead-letters",
  "quarantine",
  "secret",
  "rotation",
  "key",
  "plan",
  "webhook",
  "triggers",
  "retries",
  "legacy-webhooks",
  "receiver",
  "arrivals",
  "deliveries",
  "failing",
  "paused",
  "waiting",
  "canary",
] as const;

export type CheckName = (typeof checkNames)[number];

/** `unknown`: could not be determined, with the reason. */
export type Found =
  | { readonly status: "ok"; readonly says: string; readonly remedy?: string }
  | { readonly status: "wrong"; readonly says: string; readonly remedy: string }
  | Unknown;

export interface Unknown {
  readonly status: "unknown";
  readonly says: string;
  readonly remedy?: string;
  readonly because?: "no right" | "no answer" | "no event" | "gone";
}

/** Appears in `--json` and the function's answer. */
export type Finding = Found & {
  readonly check: CheckName;
  readonly appId?: string;
};

/** @param remedy ends a state that an operator wants */
export function ok(says: string, remedy?: string): Found {
  return { status: "ok", says, ...(remedy !== undefined && { remedy }) };
}

export function wrong(says: string, remedy: string): Found {
  return { status: "wrong", says, remedy };
}

export function unknown(says: string, remedy?: string): Unknown {
  return { status: "unknown", says, ...(remedy !== undefined && { remedy }) };
}

/**
 * Reports an outage to an operator; the scheduled doctor reports `unknown`.
 * @throws the error, if it is another
 */
export function platformFails(error: unknown, remedy: string): Found {
  if (error instanceof ChatApiError && (error.status === 429 || error.status >= 500))
    return wrong(`The platform answers ${error.status} (${error.operation}: ${error.code}).`, remedy);
  if (error instanceof ChatUnreachableError && error.phase !== "body")
    return wrong(`The platform gave no answer (${error.operation}: ${error.reason}).`, remedy);
  throw error;
}

/** Names a missing permission, a missing answer, or an internal failure. Never throws. */
export function whyUnknown(error: unknown): Unknown {
  if (error instanceof ChatUnreachableError) {
    return without("no answer", `The platform gave no answer (${error.operation}: ${error.reason}).`);
  }
  if (lacksFeature(error)) return unknown(describeLack(error), planHint);
  if (error instanceof ChatApiError) {
    const { operation, status, code } = error;
    const because = status === 401 || status === 403 ? "no right" : "no answer";
    return without(because, `The platform gave an unexpected answer (${operation}: ${status} ${code}).`);
  }
  const trouble = awsTroubleIn(error);
  const what = error instanceof AwsCallError ? `${error.service}: ${error.code}` : describeError(error);
  if (isGone(error)) return without("gone", `What it reads was deleted outside of deployments (${what}).`);
  if (trouble === "no right") {
    const action = missingActionIn(error);
    return without(
      "no right",
      `These credentials may not read it (${action ? `no right: ${action}` : what}).`,
    );
  }
  if (trouble === "busy" || trouble === "no answer" || error instanceof AwsCallError)
    return without("no answer", `AWS gave no usable answer (${what}).`);
  // An error of the command line has a remedy.
  const hint = readField(error, "hint");
  if (typeof hint !== "string") return unknown(what);
  return { ...without("gone", String(readField(error, "message"))), remedy: hint };
}

function isGone(error: unknown) {
  if (!(error instanceof AwsCallError)) return false;
  if (error.service === "sqs") return /QueueDoesNotExist|NonExistentQueue/.test(error.code);
  return error.service === "dynamodb" && isNotFound(error);
}

export function without(because: NonNullable<Unknown["because"]>, says: string): Unknown {
  return { status: "unknown", says, because };
}
