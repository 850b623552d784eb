import { CallbackError, type DurableContext } from "@aws/durable-execution-sdk-js";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import { type FlowEventName, FlowStepError } from "./flow.ts";
import type { KeptEvent } from "./flow-marks.ts";
import { inOrder, waitKindOf } from "./flow-questions.ts";
import type { FlowPath, FlowRun } from "./flow-run.ts";
import { doStep, type StepTry } from "./flow-step.ts";
import { fromFlowText, toFlowText } from "./flow-value.ts";

import type { OpenWait } from "./wait-memory.ts";
import { flowsStep, giveEvent, isFor } from "./wake-flows.ts";

interface Question {
  readonly triggers: readonly FlowEventName[];
  readonly where: unknown;
  readonly seconds: number;
}

/**
 * In three steps: it asks, is woken or times out, and reads the outcome.
 * @throws FlowStepError if the flows table cannot be reached within the maximum wait
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
  const { sinceMs, nowMs, known, early: first, waitsFor: listens = triggers } = path;
  const knownKeys = known.map(({ key }) => key);

  const { at, event } = await together(context, name, async (inner) => {
    const [woken, callbackId] = await inner.createCallback(name, { timeout: { seconds } });
    path.asked.set(callbackId, { flowId, callbackId, wayName: path.name });
    path.asking.delete(path.name);
    const question: Asked = {
      ...{ appId: app.appId, triggers, callbackId, flowId, where, sinceMs, knownKeys, listens },
      ...(first?.sinceMs === sinceMs && { early: first.messageId }),
    };
    // As Lambda counts it: a question stored hours late is not open longer.
    const ask = ({ begunAt, isGuessed }: StepTry) =>
      askFor({ ...question, untilMs: (isGuessed ? steps.now() : begunAt) + seconds * 1000 }, run, path);
    await doStep(inner, `ask for ${names}`, ask, steps, nowMs);
    const isWoken = await untilWoken(woken);
    // Stored events of several names may be out of order.
    if (isWoken && triggers.length > 1)
      await inner.wait(`before outcome of ${names}`, { seconds: storedWithinSeconds });
    path.asked.delete(callbackId);
    path.asking.add(path.name);
    // While the app is paused, the answer may wait in its lane.
    const hold = { of: "app", restSeconds: drainSeconds } as const;
    const look = () => readOutcome(question, run);
    const outcome = await doStep(inner, `outcome of ${names}`, look, steps, nowMs, hold);
    return { at: outcome.at, event: outcome.value };
  });

  path.sinceMs = Math.max(path.sinceMs, (event?.receivedAt ?? at) - longestWayMs);
  path.nowMs = Math.max(path.nowMs, at);
  if (event === null) return undefined;
  path.known = [...path.known, { key: event.key, receivedAt: event.receivedAt }];
  return event.event;
}

type Asked = Omit<OpenWait, "untilMs" | "trigger"> & {
  readonly triggers: readonly FlowEventName[];
  readonly listens: readonly string[];
};
type Asking = Asked & Pick<OpenWait, "untilMs">;

/** The flow writes, then reads; consumers do the reverse. */
async function askFor({ triggers, ...wait }: Asking, run: FlowRun, path: FlowPath): Promise<void> {
  const { steps, questions } = run;
  const { appId, flowId, where, untilMs, listens } = wait;
  const kind = waitKindOf(where);
  await questions.expect(appId, kind === "any" ? triggers : listens, kind, untilMs);
  const question = { ...wait, trigger: triggers[0] ?? "" };
  await questions.open(question, triggers);
  for await (const { kept, event } of keptFor({ triggers, ...wait }, run)) {
    if (await giveEvent(question, kept, run)) {
      // The consumer's log lines cannot name the flow.
      const { trigger } = event;
      const step = `${trigger} ${flowsStep}`;
      const outcome = outcomeFields("woke-flow", { flows: [flowId] });
      steps.log.info("woke a flow", { appId, trigger, deliveryKey: kept.key, step, flowId, ...outcome });
    }
    return;
  }
  await restIfAllWait(run, path, listens);
}

async function* keptFor({ triggers, ...wait }: Asking, { questions, isOwn, steps }: FlowRun) {
  const { appId, sinceMs, early } = wait;
  const sources = triggers.flatMap((trigger) => [
    questions.keptSince(appId, trigger, sinceMs),
    ...(early === undefined ? [] : [questions.keptEarly(appId, trigger, early)]),
  ]);
  for await (const kept of inOrder(sources)) {
    const event: AppEvent = fromFlowText(kept.text);
    const { trigger } = event;
    if (await isFor({ ...wait, trigger }, event, kept, { isOwn, log: steps.log })) yield { kept, event };
  }
}

async function readOutcome(question: Asked, run: FlowRun) {
  const { appId, flowId, callbackId, listens } = question;
  const { marks, waits } = run;
  await marks.begin(appId, listens, flowId, callbackId);
  const outcome = await waits.decide(callbackId, { kind: "over" });
  await waits.close({ flowId, callbackId });
  if (outcome.kind === "over") return null;
  // A text within a text grows by its quotes.
  const { key, receivedAt, text } = await firstOf(question, outcome.event, run);
  return { key, receivedAt, event: fromFlowText(text) };
}

/** Another event may have come first; the later one is kept for the next question. */
async function firstOf(question: Asked, woken: KeptEvent, run: FlowRun): Promise<KeptEvent> {
  for await (const { kept } of keptFor({ ...question, untilMs: woken.receivedAt }, run)) return kept;
  return woken;
}

/**
 * Only events that share a condition with an open question are stored, unless a way may ask for any next.
 * @throws AwsCallError
 */
export async function restIfAllWait(
  { id, app, marks }: FlowRun,
  { asking, asked }: FlowPath,
  listens: readonly string[],
): Promise<void> {
  if (asking.size > 0) return;
  await marks.rest(app.appId, listens, id, [...asked.keys()]);
  if (asking.size > 0) await marks.begin(app.appId, listens, id);
}

/**
 * The receiver stores an event within 1.8 s of its arrival, or a second after a cold start of more than 0.8 s
 * (lib/receive/receive-webhook.ts), or answers 503.
 */
const storedWithinSeconds = 2;

/** Enough for ten thousand lanes to handle their events after a pause. */
const drainSeconds = 120;

/**
 * An event received shortly before a question ended may be brought after it, and belongs to the next one.
 * Older ones are not read again.
 */
const longestWayMs = 60 * 60_000;

/**
 * For an operator.
 * @throws FlowStepError as `waitForEvent`
 */
export async function waitForCancel(context: DurableContext, run: FlowRun, path: FlowPath): Promise<void> {
  const { id, identity = id, app, cancels, steps, marks } = run;
  const { waitsFor = [] } = path;
  await together(context, "cancelled", async (inner) => {
    const [asked, callbackId] = await inner.createCallback("cancelled");
    // A way that listens for cancellation asks for no event.
    const isWay = path.name !== "" && path.asking.delete(path.name);
    path.listening.set(callbackId, path.name);
    const listen = async () => {
      const isCancelled = await cancels.listen(identity, callbackId);
      if (isWay && !isCancelled) await restIfAllWait(run, path, waitsFor);
      return isCancelled;
    };
    const { value: isCancelled } = await doStep(inner, "listen for a cancel", listen, steps, path.nowMs);
    if (!isCancelled) await untilWoken(asked);
    if (!isWay) return null;
    path.asking.add(path.name);
    const goOn = () => marks.begin(app.appId, waitsFor, id);
    await doStep(inner, "go on after the cancel", goOn, steps, path.nowMs);
    return null;
  });
}

/** Keeps steps in their places, and errors unwrapped. */
async function together<T>(
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

/** The table decides, not the callback. */
async function untilWoken(woken: Promise<unknown>): Promise<boolean> {
  try {
    await woken;
    return true;
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    return false;
  }
}
