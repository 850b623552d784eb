import { CallbackError, type DurableContext } from "@aws/durable-execution-sdk-js";
import { AwsCallError } from "../aws/aws-call.ts";
import { beginWait } from "../effects/health/destinations.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import { type FlowEventName, FlowStepError, fromFlowText, toFlowText } from "./flow.ts";
import type { KeptEvent } from "./flow-marks.ts";
import {
  isPartlyRead,
  mergeByReceipt,
  type ReadProgress,
  repeatUntilRead,
  waitKindOf,
} from "./flow-questions.ts";
import { type FlowPath, type FlowRun, mayComeAgain, noteWaited } from "./flow-run.ts";
import { doStep, type StepTry } from "./flow-step.ts";
import { operationName } from "./operation-name.ts";
import type { OpenWait } from "./wait-memory.ts";
import { deliverEvent, flowsStep, isAnsweredBy, latestReceiptMs, settlesMs } from "./wake-flows.ts";

interface Question {
  readonly triggers: readonly FlowEventName[];
  readonly where: unknown;
  readonly seconds: number;
}

/**
 * Has three steps: stores the question, is woken or times out, reads the outcome.
 * @throws FlowStepError if AWS fails beyond the maximum wait
 */
export async function waitForEvent(
  context: DurableContext,
  run: FlowRun,
  path: FlowPath,
  { triggers, where, seconds }: Question,
) {
  const { id: flowId, app, steps } = run;
  const names = triggers.join(", ");
  const name = `wait for ${names}`;
  const { sinceMs, nowMs, early: first, waitsFor: listens = triggers } = path;
  const knownKeys = mayComeAgain(path, latestReceiptMs).map(({ key }) => key);

  const { at, event } = await inChildContext(context, name, async (inner) => {
    const [woken, callbackId] = await inner.createCallback(operationName(name), { timeout: { seconds } });
    path.asked.set(callbackId, { flowId, callbackId, wayName: path.name });
    path.asking.delete(path.name);
    const question: Asked = {
      appId: app.appId,
      triggers,
      callbackId,
      flowId,
      where,
      sinceMs,
      knownKeys,
      listens,
      ...(first?.sinceMs === sinceMs && { early: first.messageId }),
    };
    // As Lambda counts it: a question stored hours late is not open longer.
    const untilOf = ({ begunAt, isGuessed }: StepTry) => (isGuessed ? steps.now() : begunAt) + seconds * 1000;
    await repeatUntilRead(inner, (read) => {
      const ask = (of: StepTry) =>
        askFor({ ...question, untilMs: read?.untilMs ?? untilOf(of) }, of, read, run, path);
      return doLibraryStep(inner, `ask for ${names}`, ask, steps, nowMs);
    });
    const isWoken = await untilWoken(woken);
    // Stored events of several names may be out of order.
    if (isWoken && triggers.length > 1)
      await inner.wait(operationName(`before outcome of ${names}`), { seconds: storedWithinSeconds });
    path.asked.delete(callbackId);
    path.asking.add(path.name);
    // While the app is paused, the answer may wait in its lane.
    const hold = { of: "app", restSeconds: drainSeconds } as const;
    const outcome = await repeatUntilRead(inner, (read) => {
      const look = (of: StepTry) => readOutcome(question, of, read, run);
      return doLibraryStep(inner, `outcome of ${names}`, look, steps, nowMs, hold);
    });
    return { at: outcome.at, event: outcome.value };
  });

  path.sinceMs = Math.max(path.sinceMs, (event?.receivedAt ?? at) - longestWayMs);
  path.nowMs = Math.max(path.nowMs, at);
  if (event === null) {
    noteWaited(path, seconds);
    return undefined;
  }
  path.heardMs = event.receivedAt;
  path.known = [...path.known, { key: event.key, receivedAt: event.receivedAt }];
  return event.event;
}

type Asked = Omit<OpenWait, "untilMs" | "trigger"> & {
  readonly triggers: readonly FlowEventName[];
  readonly listens: readonly string[];
};
type Asking = Asked & Pick<OpenWait, "untilMs">;

/** Stores the question, then reads events; consumers do the reverse. */
async function askFor(
  { triggers, ...wait }: Asking,
  of: StepTry,
  read: ReadProgress | undefined,
  run: FlowRun,
  path: FlowPath,
): Promise<{ readonly read: ReadProgress } | undefined> {
  const { steps, questions } = run;
  const { appId, flowId, where, untilMs, listens } = wait;
  const kind = waitKindOf(where);
  const question = { ...wait, trigger: triggers[0] ?? "" };
  if (read === undefined) {
    await questions.expect(appId, kind === "any" ? triggers : listens, kind, untilMs);
    await questions.open(question, triggers);
  }
  const found = await findKept({ triggers, ...wait }, of, read, run);
  if (isPartlyRead(found)) return found;
  if (found === undefined) {
    await suspendIfAllWait(run, path, listens);
  } else if (await deliverEvent(question, found.kept, run, steps.now() < of.begunAt + settlesMs)) {
    // The consumer's log lines cannot name the flow.
    const { trigger } = found.event;
    const step = `${trigger} ${flowsStep}`;
    const outcome = outcomeFields("woke-flow", { flows: [flowId] });
    const deliveryKey = found.kept.key;
    steps.log.info("woke a flow", { appId, trigger, deliveryKey, step, flowId, ...outcome });
  }
  return undefined;
}

/** Compares at least one more event in each part. */
async function findKept(
  { triggers, ...wait }: Asking,
  { limits }: StepTry,
  read: ReadProgress | undefined,
  { questions, isOwn, steps }: FlowRun,
): Promise<
  { readonly kept: KeptEvent; readonly event: AppEvent } | { readonly read: ReadProgress } | undefined
> {
  const { appId, sinceMs, untilMs, early } = wait;
  const fromMs = read?.toMs ?? sinceMs;
  const sources = triggers.flatMap((trigger) => [
    questions.keptSince(appId, trigger, fromMs),
    ...(early === undefined ? [] : [questions.keptEarly(appId, trigger, early)]),
  ]);
  let toMs = fromMs;
  try {
    for await (const kept of mergeByReceipt(sources)) {
      toMs = kept.receivedAt;
      if (toMs > untilMs) return undefined;
      if (toMs > fromMs && steps.now() >= limits.deadlineMs - readMarginMs)
        return { read: { toMs, untilMs } };
      const event: AppEvent = fromFlowText(kept.text);
      const { trigger } = event;
      if (await isAnsweredBy({ ...wait, trigger }, event, kept, { isOwn, log: steps.log }))
        return { kept, event };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof AwsCallError) || toMs <= fromMs) throw error;
    return { read: { toMs, untilMs, hasFailed: true } };
  }
}

/** Reserved for a last page and the writes after it. */
const readMarginMs = 3_000;

async function readOutcome(question: Asked, of: StepTry, read: ReadProgress | undefined, run: FlowRun) {
  const { appId, flowId, callbackId, listens } = question;
  const { marks, waits } = run;
  await marks.begin(appId, listens, flowId, callbackId);
  const outcome = await waits.decide(callbackId, { kind: "over" });
  await waits.close({ flowId, callbackId });
  if (outcome.kind === "over") return null;
  // An earlier event may have arrived first; the later one stays for the next question.
  const found = await findKept({ ...question, untilMs: outcome.event.receivedAt }, of, read, run);
  if (isPartlyRead(found)) return found;
  const { key, receivedAt, text } = found?.kept ?? outcome.event;
  return { key, receivedAt, event: fromFlowText(text) };
}

/**
 * Suspends the marks if all ways wait: then only events that share a key with an open question are stored.
 * @throws AwsCallError
 */
export async function suspendIfAllWait(
  { id, app, marks }: FlowRun,
  { asking, asked }: FlowPath,
  listens: readonly string[],
): Promise<void> {
  if (asking.size > 0) return;
  await marks.suspend(app.appId, listens, id, [...asked.keys()]);
  if (asking.size > 0) await marks.begin(app.appId, listens, id);
}

/**
 * The receiver stores an event within 1.8 s of its arrival, or a second after a cold start of more than 0.8 s
 * (lib/receive/receive-webhook.ts), or answers 503.
 */
const storedWithinSeconds = 2;

/** Enough for ten thousand lanes after a pause. */
const drainSeconds = 120;

/**
 * An event received shortly before a question ended may be brought after it, and belongs to the next one.
 * Older ones are not read again.
 */
const longestWayMs = 60 * 60_000;

/** @throws FlowStepError as `waitForEvent` */
export async function waitForCancel(context: DurableContext, run: FlowRun, path: FlowPath): Promise<void> {
  const { id, identity = id, app, cancels, steps, marks } = run;
  const { waitsFor = [] } = path;
  await inChildContext(context, "cancelled", async (inner) => {
    const [asked, callbackId] = await inner.createCallback("cancelled");
    // A way that listens for cancellation asks for no event.
    const isWay = path.name !== "" && path.asking.delete(path.name);
    path.listening.set(callbackId, path.name);
    const listen = async () => {
      const isCancelled = await cancels.listen(identity, callbackId);
      if (isWay && !isCancelled) await suspendIfAllWait(run, path, waitsFor);
      return isCancelled;
    };
    const { value: isCancelled } = await doLibraryStep(
      inner,
      "listen for a cancel",
      listen,
      steps,
      path.nowMs,
    );
    if (!isCancelled) await untilWoken(asked);
    if (!isWay) return null;
    path.asking.add(path.name);
    const goOn = () => marks.begin(app.appId, waitsFor, id);
    await doLibraryStep(inner, "go on after the cancel", goOn, steps, path.nowMs);
    return null;
  });
}

/** A timeout counts as AWS being slow, not the flow. */
const doLibraryStep: typeof doStep = (context, name, work, ...rest) =>
  doStep(
    context,
    name,
    (of) => {
      beginWait(of.limits.waitsFor, "dynamodb");
      return work(of);
    },
    ...rest,
  );

/** Throws the steps' errors unwrapped. */
async function inChildContext<T>(
  context: DurableContext,
  name: string,
  work: (inner: DurableContext) => Promise<T>,
): Promise<T> {
  const text = await context.runInChildContext(
    name,
    async (inner) => {
      try {
        return toFlowText({ value: await work(inner) });
      } catch (error) {
        if (!(error instanceof FlowStepError)) throw error;
        return toFlowText({ failed: { step: error.step, why: error.why } });
      }
    },
    { virtualContext: true },
  );
  const { value, failed } = fromFlowText(text);
  if (failed !== undefined) throw new FlowStepError(failed.step, failed.why);
  return value;
}

/** Returns false on timeout. The table decides, not the callback. */
async function untilWoken(woken: Promise<unknown>) {
  try {
    await woken;
    return true;
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    return false;
  }
}
