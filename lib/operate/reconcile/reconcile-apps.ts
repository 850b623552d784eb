import { createAwsCaller } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { describeError } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { forEachApp } from "../../base/for-each-app.ts";
import { createProcessLog } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { pause } from "../../base/timers.ts";
import { createAppCredentials } from "../../chat/app-credentials.ts";
import { composeOn } from "../../chat/compose.ts";
import { connectApp } from "../../chat/connect-apps.ts";
import { createEnqueueMany } from "../../queue/enqueue-many.ts";
import {
  createListMessages,
  createReceivedMeter,
  type ReceivedMeter,
  rawMessages,
  type Span,
} from "./list-messages.ts";
import {
  createReconcileMemory,
  measurableHours,
  planRehearsal,
  planRunByHand,
  planScheduledRun,
  skippedBy,
} from "./plan-run.ts";
import { measureApp, type ReconciledApp, type RunTime, reconcileApp } from "./reconcile-app.ts";
import { oldestSeconds, type ReconcileRequest, ReconcileRequestError } from "./reconcile-request.ts";
import { type AppResult, addRuns, type ReconcileResult } from "./reconcile-result.ts";

export function buildReconcileServices() {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const eventsQueueUrl = readSetting("EVENTS_QUEUE_URL");
  const ages = readSecretAges();
  const mode = readSettingOr("RECONCILE", "off");
  const lanes = createTable({ callAws, tableName: readSetting("LANES_TABLE_NAME"), sortKey: "item" });
  return {
    appIds: servedAppIds(),
    scheduledWork: mode === "hand-over" ? ("hand over" as const) : ("rehearse" as const),
    connect: async (appId: string): Promise<ReconciledApp> => {
      const credentials = createAppCredentials({ readSecret, secretPrefix, appId, ages, now });
      const { region } = await credentials.get();
      const { messages } = composeOn(await connectApp(credentials, baseUrlTemplate), {
        messages: rawMessages,
      });
      return { appId, region, listMessages: createListMessages(messages) };
    },
    /** Undefined if messages are not counted. */
    meter: mode === "off" ? undefined : createReceivedMeter(callAws, secretPrefix, eventsQueueUrl),
    memory: createReconcileMemory(lanes, now),
    enqueueMany: createEnqueueMany(callAws, eventsQueueUrl),
    ...createProcessLog("reconcile"),
    sleep: pause,
    now,
  };
}

type ReconcileAppsServices = ReturnType<typeof buildReconcileServices>;

export class ReconcileFailedError extends OwnError {
  override readonly name = "ReconcileFailedError";

  constructor(result: ReconcileResult) {
    super(
      `Reconciling failed for some apps; fix the causes and run it again. Result: ${JSON.stringify(result)}`,
    );
  }
}

export class NothingCountedError extends OwnError {
  override readonly name = "NothingCountedError";

  constructor() {
    super(
      "Nothing counts which messages are received, so nothing can be compared. Deploy with RECONCILE=rehearse or RECONCILE=hand-over (docs/maintain.md#reconcile), and wait for a whole hour.",
    );
  }
}

/** If thrown, a wrong request would count as the function's error and raise an alarm. */
export function toRefusal(error: unknown) {
  if (!(error instanceof ReconcileRequestError || error instanceof NothingCountedError)) throw error;
  return { errorType: error.name, errorMessage: error.message };
}

/** Counted when they were found missing. Dimension: `appId`. */
const neverReceivedMetric = "MessagesNeverReceived";

/**
 * Continues after a failed app.
 * @param deadlineMs milliseconds since 1970
 * @throws ReconcileFailedError at the end of a scheduled run, if an app failed; before any work,
 * NothingCountedError, and ReconcileRequestError for a rehearsal of less than an hour
 */
export async function reconcileApps(
  request: ReconcileRequest,
  deadlineMs: number,
  services: ReconcileAppsServices,
): Promise<ReconcileResult> {
  const { now, log } = services;
  const isByHand = request.kind === "by hand";
  const appIds = isByHand ? request.appIds : rotate(services.appIds, now());
  const rehearsal = isByHand ? request.rehearsal : services.scheduledWork === "rehearse";
  const { meter } = services;
  if (rehearsal && meter === undefined) throw new NothingCountedError();
  if (rehearsal && isByHand && measurableHours(request.span, now()).length === 0) {
    throw new ReconcileRequestError(
      'A rehearsal compares whole hours, and none that ended ten minutes ago lies between "since" and "until".',
    );
  }

  const apps = await forEachApp(
    appIds,
    { deadlineMs, now },
    async (appId, shareEndsAt): Promise<AppResult> => {
      const time = { shareEndsAt, deadlineMs };
      try {
        if (rehearsal && meter !== undefined) {
          // Runs first: if connecting fails, the hours are measured later.
          const hours = await planHours(appId, request, services);
          const app = await services.connect(appId);
          const measured = await measure(app, hours, request, time, { ...services, meter });
          return { appId, measured };
        }
        const app = await services.connect(appId);
        const handedOver = await handOverApp(app, request, time, services);
        log.info("handed messages over to the events queue", { appId, ...handedOver });
        return { appId, handedOver };
      } catch (error) {
        const cause = describeError(error);
        log.error("could not reconcile an app", { appId, error: cause });
        return { appId, error: cause };
      }
    },
  );
  const isComplete = apps.every(({ handedOver, measured }) => (handedOver ?? measured)?.isComplete ?? false);
  const result = { rehearsal, isComplete, apps };
  if (!isByHand && apps.some(({ error }) => error !== undefined)) throw new ReconcileFailedError(result);
  return result;
}

/** A scheduled run continues with newer messages after the rest of an earlier span. */
async function handOverApp(
  app: ReconciledApp,
  request: ReconcileRequest,
  time: RunTime,
  services: ReconcileAppsServices,
) {
  const { memory, now } = services;
  const { appId } = app;
  const run = async () => {
    const remembered = await memory.read(appId, request.kind);
    const course =
      request.kind === "by hand"
        ? planRunByHand(remembered, request.span)
        : planScheduledRun(remembered, now());
    const skipped = request.kind === "schedule" ? skippedBy(course, remembered) : undefined;
    if (skipped !== undefined) warnOfSkipped(appId, skipped, services, false);
    const isContinued = remembered.course !== undefined && course === remembered.course;
    return { isContinued, done: await reconcileApp(app, request.kind, course, time, services) };
  };
  const { isContinued, done } = await run();
  if (!isContinued || !done.isComplete) return done;
  const { done: rest } = await run();
  return addRuns(done, rest);
}

function warnOfSkipped(appId: string, span: Span, { log, now }: ReconcileAppsServices, isRehearsal: boolean) {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/\.\d+/, "");
  // An hour to type it.
  const since = iso(Math.max(span.since, Math.floor(now() / 1000) - oldestSeconds + 3600));
  const until = iso(span.until);
  const [work, how] = isRehearsal ? ["compare", "--dry-run"] : ["hand over", `--until ${until}`];
  const command = `npx cometchat-functions reconcile --since ${since} ${how} --app ${appId}`;
  const hint = `To ${work} those of the last five days: ${command}`;
  log.warn(
    isRehearsal
      ? "skipped hours that no run compared in time"
      : "skipped messages that are too old for a scheduled run",
    { appId, since: iso(span.since), until, hint },
  );
}

async function measure(
  app: ReconciledApp,
  hours: readonly number[],
  request: ReconcileRequest,
  time: RunTime,
  services: ReconcileAppsServices & { readonly meter: ReceivedMeter },
) {
  const { memory, log, count } = services;
  const { appId } = app;
  const measured = await measureApp(app, hours, time, services);
  for (const { hour, ...counts } of measured.hours) {
    const fields = { appId, hour: new Date(hour * 1000).toISOString(), ...counts };
    if (counts.neverReceived > 0) {
      log.warn("messages of an hour never reached the receiver: is the webhook still subscribed?", fields);
    } else log.info("compared an hour's messages with those received", fields);
    // Counts now, not in the hour concerned: an alarm reads new values.
    count(neverReceivedMetric, { appId }, {}, { value: counts.neverReceived });
  }
  if (!measured.isComplete) {
    log.warn("could not compare all hours yet: time was up, or their events still wait in the queue", {
      appId,
      hoursLeft: hours.length - measured.hours.length,
    });
  }
  const last = measured.hours.at(-1);
  if (request.kind === "schedule" && last !== undefined) {
    await memory.finish(appId, "rehearsal", last.hour + hourSeconds);
  }
  return measured;
}

async function planHours(appId: string, request: ReconcileRequest, services: ReconcileAppsServices) {
  const { memory, now } = services;
  if (request.kind === "by hand") return measurableHours(request.span, now());
  const remembered = await memory.read(appId, "rehearsal");
  const span = planRehearsal(remembered, now());
  await memory.noteRun(appId);
  const skipped = skippedBy(span, remembered);
  if (skipped !== undefined) warnOfSkipped(appId, skipped, services, true);
  if (remembered.doneUntil !== span.since) await memory.finish(appId, "rehearsal", span.since);
  return measurableHours(span, now());
}

const hourSeconds = 3_600;

/** If a run has too many apps, a different one is last each time. */
function rotate(appIds: readonly string[], nowMs: number) {
  const first = Math.floor(nowMs / 1000 / hourSeconds) % appIds.length;
  return [...appIds.slice(first), ...appIds.slice(0, first)];
}
