import { CallbackError, type DurableContext } from "@aws/durable-execution-sdk-js";
import { FlowStepError } from "./flow.ts";
import { inOrder, waitKindOf } from "./flow-questions.ts";
import type { FlowPath, FlowRun } from "./flow-run.ts";
import { doStep, type StepTry } from "./flow-step.ts";
import { fromFlowText, toFlowText } from "./flow-value.ts";
import type { FlowEventName } from "./flow-where.ts";
import type { OpenWait } from "./open-wait.ts";
import { flowsStep, giveEvent, isFor } from "./wake-flows.ts";

interface Question {
  readonly trigger: FlowEventName;
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
  { trigger, where, seconds }: Question,
) {
  const { id: flowId, app, steps } = run;
  const name = `wait for ${trigger}`;
  const { sinceMs, nowMs, knownKeys, early: first, waitsFor: listens = [trigger] } = path;

  const { at, event } = await together(context, name, async (inner) => {
    const [woken, callbackId] = await inner.createCallback(name, { timeout: { seconds } });
    path.asked.set(callbackId, { flowId, callbackId, wayName: path.name });
    path.asking.delete(path.name);
    const question: Asked = {
      ...{ appId: app.appId, trigger, callbackId, flowId, where, sinceMs, knownKeys, listens },
      ...(first?.sinceMs === sinceMs && { early: first.messageId }),
    };
    // As Lambda counts it: a question that could not be stored for hours is not open longer.
    const ask = ({ begunAt, isGuessed }: StepTry) =>
      askFor({ ...question, untilMs: (isGuessed ? steps.now() : begunAt) + seconds * 1000 }, run, path);
    await doStep(inner, `ask for ${trigger}`, ask, steps, nowMs);
    await untilWoken(woken);
    path.asked.delete(callbackId);
    path.asking.add(path.name);
    // While the app is paused, the answer may wait in its lane.
    const hold = { of: "app", restSeconds: drainSeconds } as const;
    const look = () => readOutcome(question, run);
    const outcome = await doStep(inner, `outcome of ${trigger}`, look, steps, nowMs, hold);
    return { at: outcome.at, event: outcome.value };
  });

  path.sinceMs = Math.max(path.sinceMs, (event?.receivedAt ?? at) - longestWayMs);
  path.nowMs = Math.max(path.nowMs, at);
  if (event === null) return undefined;
  path.knownKeys = [...path.knownKeys, event.key];
  return event.event;
}

type Asked = Omit<OpenWait, "untilMs"> & {
  readonly trigger: FlowEventName;
  readonly listens: readonly string[];
};

/** The flow writes, then reads; the process that brings an event does the reverse. */
async function askFor(wait: Asked & OpenWait, run: FlowRun, path: FlowPath): Promise<void> {
  const { steps, questions, isOwn } = run;
  const { appId, trigger, flowId, where, sinceMs, untilMs, listens, early } = wait;
  const kind = waitKindOf(where);
  await questions.expect(appId, kind === "any" ? [trigger] : listens, kind, untilMs);
  await questions.open(wait);
  const kept = inOrder([
    questions.keptSince(appId, trigger, sinceMs),
    ...(early === undefined ? [] : [questions.keptEarly(appId, trigger, early)]),
  ]);
  for await (const one of kept) {
    if (!(await isFor(wait, fromFlowText(one.text), one, { isOwn, log: steps.log }))) continue;
    if (await giveEvent(wait, one, run)) {
      // The consumer handled the event before the flow asked for it: its log lines cannot name the flow.
      const step = `${trigger} ${flowsStep}`;
      steps.log.info("woke a flow", { appId, trigger, deliveryKey: one.key, step, flowId });
    }
    return;
  }
  await restIfAllWait(run, path, listens);
}

async function readOutcome({ appId, flowId, callbackId, listens }: Asked, { marks, waits }: FlowRun) {
  await marks.begin(appId, listens, flowId, callbackId);
  const outcome = await waits.decide(callbackId, { kind: "over" });
  await waits.close({ flowId, callbackId });
  if (outcome.kind === "over") return null;
  // Not as a text: a text within a text grows by its quotes.
  const { key, receivedAt, text } = outcome.event;
  return { key, receivedAt, event: fromFlowText(text) };
}

/**
 * Only events that share a condition with an open question are stored, unless a way may ask for any event
 * next.
 * @throws AwsCallError
 */
export async function restIfAllWait(
  { id, app, marks }: FlowRun,
  { asking, asked }: FlowPath,
  listens: readonly string[],
): Promise<void> {
  if (asking.size > 0) return;
  await marks.rest(app.appId, listens, id, [...asked.keys()]);
  // A way that does not wait for an event may have continued meanwhile.
  if (asking.size > 0) await marks.begin(app.appId, listens, id);
}

/** Enough for ten thousand lanes to handle their waiting events after a pause. */
const drainSeconds = 120;

/**
 * An event received shortly before a question ended may be brought after it, and belongs to the next one.
 * Older events are not read again: a flow that asks daily would read all.
 */
const longestWayMs = 60 * 60_000;

/**
 * For an operator.
 * @throws FlowStepError as `waitForEvent`
 */
export async function waitForCancel(context: DurableContext, run: FlowRun, path: FlowPath): Promise<void> {
  const { id, app, cancels, steps, marks } = run;
  const { waitsFor = [] } = path;
  await together(context, "cancelled", async (inner) => {
    const [asked, callbackId] = await inner.createCallback("cancelled");
    // A way that only listens for cancellation asks for no event.
    const isWay = path.name !== "" && path.asking.delete(path.name);
    const listen = async () => {
      await cancels.listen(id, callbackId);
      if (isWay) await restIfAllWait(run, path, waitsFor);
    };
    await doStep(inner, "listen for a cancel", listen, steps, path.nowMs);
    await untilWoken(asked);
    if (!isWay) return null;
    path.asking.add(path.name);
    const goOn = () => marks.begin(app.appId, waitsFor, id);
    await doStep(inner, "go on after the cancel", goOn, steps, path.nowMs);
    return null;
  });
}

/** Keeps steps in their places without wrapping their error, as a context would. */
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

/** The table, not the callback, says whether it timed out or was woken. */
async function untilWoken(woken: Promise<unknown>): Promise<void> {
  try {
    await woken;
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
  }
}
