import { secretsByName } from "../../aws/secrets/app-secret.ts";
import { logWith } from "../../base/log.ts";
import type { TimeLimit } from "../../base/time-limit.ts";
import type { OwnServices } from "./build-own-services.ts";
import type { Follow, OwnContext, OwnRun } from "./request-definition.ts";

/** @throws errors of reading the app's secret */
export async function openContext(
  { access, log, count, now }: OwnServices,
  appId: string,
  { endsAt: deadlineMs, signal }: TimeLimit,
  run: OwnRun,
): Promise<OwnContext> {
  return {
    ...(await access.open(appId, { deadlineMs, signal })),
    secret: secretsByName(access.secretOf(appId), deadlineMs),
    log: logWith(log, { appId }),
    count,
    signal,
    deadlineMs,
    now,
    run,
  };
}

/**
 * Also waits for effects that the handler does not await: Lambda stops a process that has answered. Their
 * unhandled errors end the process, as any other.
 * @throws what the handler throws
 */
export async function runToEnd<Context extends OwnContext, Result>(
  context: Context,
  handler: (context: Context) => Promise<Result> | Result,
): Promise<Result> {
  const ends: Promise<unknown>[] = [];
  const follow: Follow = (begun) => {
    ends.push(begun.catch(() => undefined));
    return begun.then((value) => value); // to be handled by itself
  };
  try {
    return await handler({ ...context, run: { ...context.run, follow } });
  } finally {
    // What follows an effect may begin another.
    for (const end of ends) await end.then(() => new Promise(setImmediate));
  }
}
