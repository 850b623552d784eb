import type { DurableContext } from "@aws/durable-execution-sdk-js";
import type { AnswerOf, ArgumentsOf, ListOperation, SingleOperation } from "../chat/operation.ts";
import type { Effect } from "../effects/effect.ts";
import { ShadowEndedError } from "../effects/effect-errors.ts";
import { effectToDo } from "../effects/perform.ts";
import type { States } from "../effects/state/create-states.ts";
import { checkConditions } from "../events/conditions/where.ts";
import { checkList, checkStepName, checkWait, checkWays, checkWork } from "./check-flow.ts";
import {
  assertNotEnded,
  continueStep,
  createContinueAs,
  isMisplacedIn,
  misplacedError,
} from "./continue-as.ts";
import {
  checkUntil,
  type Flow,
  type FlowEventName,
  FlowStepError,
  type FlowTools,
  type FlowWay,
  fromFlowText,
  readConditions,
  secondsOf,
  secondsUntil,
  toFlowText,
  whyTooLong,
} from "./flow.ts";
import { type FlowPath, type FlowRun, type KnownEvent, lookBackFrom, noteWaited } from "./flow-run.ts";
import { doStep, type StepTry } from "./flow-step.ts";
import { toStoredError } from "./stored-error.ts";
import { suspendIfAllWait, waitForCancel, waitForEvent } from "./wait-for-event.ts";
import { createWayGate } from "./way-gate.ts";

export function createFlow(context: DurableContext, run: FlowRun, path: FlowPath): Flow {
  const { id, identity = id, app, log, steps } = run;
  const { step, doEffect, state } = createSteps(context, run, path);
  let cancelled: Promise<void> | undefined;

  return {
    id: identity,
    app,
    log,
    state,
    do: async <T>(name: string, what: Effect<T> | SingleOperation, ...args: ArgumentsOf<SingleOperation>) =>
      doEffect(checkStepName("do", name), effectToDo(what, args)),
    list: async (name, options, operation, ...args) => {
      checkList(options, operation);
      return doEffect(checkStepName("list", name), listing(operation, args, options.limit));
    },
    run: async (name, work) => {
      checkWork(work);
      return doEffect(checkStepName("run", name), ownCode(work));
    },
    wait: async (length) => {
      assertNotEnded(path);
      const seconds = secondsOf(length);
      const why = whyTooLong(seconds, path.nowMs, run.startedMs);
      if (why !== undefined) throw new FlowStepError("wait", why);
      await context.wait("wait", { seconds });
      path.nowMs += seconds * 1000;
      noteWaited(path, seconds);
    },
    waitUntil: async (date) => {
      checkUntil(date);
      const seconds = await step("wait until", async () => secondsUntil(date, steps.now(), run.startedMs));
      if (seconds === 0) return;
      await context.wait("wait until", { seconds });
      path.nowMs = Math.max(path.nowMs, date.getTime());
      noteWaited(path, seconds);
    },
    waitFor: async (names, options) => {
      assertNotEnded(path);
      checkWait(names, options, path.waitsFor);
      const { where, within } = options;
      checkConditions(readConditions(where));
      const question = { triggers: [...new Set([names].flat())], where, seconds: secondsOf(within) };
      return waitForEvent(context, run, path, question);
    },
    ...createWays(context, run, path),
    get cancelled() {
      cancelled ??= waitForCancel(context, run, path);
      return cancelled;
    },
    continueAs: createContinueAs(run, path, (effect) => doEffect(continueStep, effect)),
    now: () => step("now", async () => new Date(steps.now())),
  };
}

function createWays(context: DurableContext, run: FlowRun, path: FlowPath): Pick<Flow, "all" | "any"> {
  let ways = 0;
  const goWays = async (ofWays: Ways, least?: number) => {
    assertNotEnded(path);
    ways += 1;
    return runWays(context, run, path, `${path.name}${ways}`, ofWays, least);
  };

  return {
    all: async (ofWays) => {
      checkWays("all", ofWays);
      const values = fromFlowText(`[${(await goWays(ofWays)).join(",")}]`);
      return values.map(({ value }: { value?: unknown }) => value);
    },
    any: async (ofWays: Ways) => {
      checkWays("any", ofWays);
      return fromFlowText((await goWays(ofWays, 1)).join("")).value;
    },
  };
}

type Ways = readonly FlowWay<FlowEventName, unknown>[];

function createSteps(context: DurableContext, run: FlowRun, path: FlowPath) {
  const step = async <T>(name: string, work: (of: StepTry) => Promise<T>, isEffect = false) => {
    assertNotEnded(path);
    const { value, begunAt, at } = await doStep(context, name, work, run.steps, path.nowMs, { of: "flow" });
    path.nowMs = Math.max(path.nowMs, at);
    if (isEffect) path.sinceMs = Math.max(path.sinceMs, Math.min(begunAt, lookBackFrom(path)));
    return value;
  };
  const act = async <T>(name: string, work: (of: StepTry, effectName: string) => Promise<T>) => {
    const count = (path.uses.get(name) ?? 0) + 1;
    path.uses.set(name, count);
    const effectName = nameEffect(path.name, name, count);
    return step(name, (of) => work(of, effectName), true);
  };
  const state: States = (kind, key) => ({
    get: async () => {
      // In an object: text cannot distinguish undefined from null.
      const read = async (of: StepTry) => ({ value: await run.statesFor(of)(kind, key).get() });
      return (await step(`read ${kind.name}`, read)).value;
    },
    update: (change) =>
      act(`change ${kind.name}`, (of, effectName) => run.statesFor(of, effectName)(kind, key).update(change)),
  });
  return {
    step,
    doEffect: <T>(name: string, effect: Effect<T>) =>
      act(name, (of, effectName) => run.performFor(of)(effectName, effect)),
    state,
  };
}

async function runWays(
  context: DurableContext,
  run: FlowRun,
  path: FlowPath,
  prefix: string,
  ofWays: Ways,
  least: number | undefined,
): Promise<readonly string[]> {
  const { steps } = run;
  const isAny = least !== undefined;
  const name = isAny ? "any" : "all";
  const gate = createWayGate(steps.gate);
  const wayRun = { ...run, steps: { ...steps, gate } };
  const wayNames = ofWays.map((_, index) => `${prefix}.${index} `);
  path.asking.delete(path.name);
  for (const wayName of wayNames) path.asking.add(wayName);
  let going = ofWays.length;
  const goWay = async (way: Ways[number], wayName: string, inner: DurableContext) => {
    const givenBefore = path.known.length;
    const own: FlowPath = { ...path, name: wayName, uses: new Map() };
    const go = async () => toFlowText({ value: await way(createFlow(inner, wayRun, own)) });
    const { text, error } = await settle(go);
    const isEnded = path.ended.by !== undefined;
    if (isEnded || isAny === (error === undefined)) await gate.close();
    const thrown = path.ended.by ?? error;
    if (isEnded && isAny) return { text, isMisplaced: true, ...progressOf(own, givenBefore) };
    if (thrown !== undefined) throw toStoredError(thrown);
    going -= 1;
    const continues = isAny || going === 0;
    if (continues) path.asking.add(path.name);
    path.asking.delete(own.name);
    if (!continues) await suspendWithoutWay(run, path);
    // Lambda does not return what ended ways contain (flow-limits.ts).
    return { text, isMisplaced: false, ...progressOf(own, givenBefore), written: run.written?.() };
  };
  const branches = ofWays.map((way, index) => ({
    name: String(index),
    func: (inner: DurableContext) => goWay(way, wayNames[index] ?? "", inner),
  }));
  const ending = isAny ? { completionConfig: { minSuccessful: least } } : {};
  const batch = await context.parallel(name, branches, ending);
  if (isMisplacedIn(batch)) path.ended.by ??= misplacedError();
  assertNotEnded(path);
  await Promise.all([closeQuestions(run, path, `${prefix}.`), stopListening(run, path, `${prefix}.`)]);
  for (const name of path.asking) if (name.startsWith(`${prefix}.`)) path.asking.delete(name);
  path.asking.add(path.name);
  const done = batch.succeeded().sort((one, other) => one.index - other.index);
  const needed = least ?? ofWays.length;
  if (done.length < needed)
    throw new FlowStepError(name, batch.getErrors()[0]?.message ?? "there was no way");
  return done.slice(0, needed).map(({ result }) => continueAfter(result, path));
}

/** @throws ShadowEndedError if the way ended in shadow */
function continueAfter(
  { text, sinceMs, heardMs, nowMs, known }: WayEnd & ReturnType<typeof progressOf>,
  path: FlowPath,
) {
  path.sinceMs = Math.max(path.sinceMs, sinceMs);
  if (heardMs !== undefined && (path.heardMs === undefined || nowMs >= path.nowMs)) path.heardMs = heardMs;
  path.nowMs = Math.max(path.nowMs, nowMs);
  const isNew = ({ key }: KnownEvent) => !path.known.some((one) => one.key === key);
  path.known = [...path.known, ...known.filter(isNew)];
  if (text === undefined) throw new ShadowEndedError("one of several ways");
  return text;
}

/** In doubt, every event is stored. */
async function suspendWithoutWay(run: FlowRun, path: FlowPath) {
  const { waitsFor = [] } = path;
  await suspendIfAllWait(run, path, waitsFor).catch(() =>
    run.marks.begin(run.app.appId, waitsFor, run.id).catch(() => undefined),
  );
}

/** Open questions would be read with every event. */
async function closeQuestions(run: FlowRun, { asked }: FlowPath, ofWays: string) {
  const left = [...asked.values()].filter(({ wayName }) => wayName.startsWith(ofWays));
  for (const { callbackId } of left) asked.delete(callbackId);
  await Promise.all(left.map((question) => run.waits.close(question))).catch(() => undefined);
}

/** Removes ended ways' callbacks: a cancellation would complete them all. */
async function stopListening(
  { id, identity = id, cancels }: FlowRun,
  { listening }: FlowPath,
  ofWays: string,
) {
  const left = [...listening].flatMap(([callbackId, name]) => (name.startsWith(ofWays) ? [callbackId] : []));
  for (const callbackId of left) listening.delete(callbackId);
  await cancels.leave(identity, left).catch(() => undefined);
}

function listing<O extends ListOperation>(
  operation: O,
  args: ArgumentsOf<O>,
  limit: number,
): Effect<readonly AnswerOf<O>[]> {
  // A read, in shadow too.
  return {
    kind: operation.id,
    isKeptApart: true,
    stepsWith: ({ call }) => ({ act: () => call(operation, ...args).toArray({ limit }) }),
  };
}

function ownCode<T>(work: (tools: FlowTools) => Promise<T> | T): Effect<T> {
  return {
    kind: "once",
    stepsWith: ({ call, limits: { signal, deadlineMs } }) => ({
      act: async () => work({ call, signal, deadlineMs }),
    }),
  };
}

/** Unique in the ledger per place in the flow and use of a name. */
function nameEffect(wayName: string, name: string, count: number) {
  const looksGenerated = /^(\d+\.\d+ |")| \(\d+\)$/.test(name);
  return `${wayName}${looksGenerated ? JSON.stringify(name) : name}${count === 1 ? "" : ` (${count})`}`;
}

interface WayEnd {
  /** Absent if the way ended in shadow. */
  readonly text?: string | undefined;
  readonly error?: unknown;
}

async function settle(go: () => Promise<string>): Promise<WayEnd> {
  try {
    return { text: await go() };
  } catch (error) {
    return error instanceof ShadowEndedError ? {} : { error: error ?? new Error("") };
  }
}

function progressOf({ sinceMs, heardMs, nowMs, known }: FlowPath, givenBefore: number) {
  return { sinceMs, heardMs, nowMs, known: known.slice(givenBefore) };
}
