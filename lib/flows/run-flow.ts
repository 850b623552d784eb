import { CallbackError, type DurableContext } from "@aws/durable-execution-sdk-js";
import type { ArgumentsOf, SingleOperation } from "../chat/operation.ts";
import { callingEffect } from "../effects/calling-effect.ts";
import type { Effect } from "../effects/effect.ts";
import type { Perform } from "../effects/perform.ts";
import type { Log } from "../log.ts";
import type { CallDurable } from "./durable-api.ts";
import type { Flow, FlowWay } from "./flow.ts";
import type { FlowCancels } from "./flow-cancels.ts";
import { secondsOf } from "./flow-length.ts";
import type { FlowMarks } from "./flow-marks.ts";
import { doStep, type StepServices, type StepTry } from "./flow-step.ts";
import { fromFlowText, toFlowText } from "./flow-value.ts";
import type { FlowWaits, OpenWait } from "./flow-waits.ts";
import type { FlowEventName } from "./flow-where.ts";
import { giveEvent, isFor } from "./wake-flows.ts";

/** What one flow runs on, in one invocation. */
export interface FlowRun {
  readonly id: string;
  readonly app: { readonly appId: string; readonly region: string | undefined };
  readonly log: Log;
  readonly steps: StepServices;
  /** Makes what does effects in one try of a step. */
  readonly performFor: (of: StepTry) => Perform;
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly cancels: FlowCancels;
  readonly callDurable: CallDurable;
}

/** What a flow has come to, on one of its ways. */
export interface FlowPath {
  /** Tells one way from another; empty for the flow itself. */
  readonly name: string;
  /** Milliseconds since 1970: what was received since then counts for the next question. */
  sinceMs: number;
  /** Facts that the flow was given, or was started for. */
  knownKeys: string[];
  /** How often each name of a step was used. */
  readonly uses: Map<string, number>;
}

/** Makes the flow that a flow's function is given. */
export function createFlow(context: DurableContext, run: FlowRun, path: FlowPath): Flow {
  const { id, app, log, steps, performFor } = run;
  let cancelled: Promise<void> | undefined;
  let ways = 0;

  const step = async <T>(name: string, work: (of: StepTry) => Promise<T>) =>
    doStep(context, name, work, steps);

  const doEffect = async <T>(name: string, effect: Effect<T>): Promise<T> => {
    const count = (path.uses.get(name) ?? 0) + 1;
    path.uses.set(name, count);
    // Names of effects are remembered by the ledger: another use of a name is another effect.
    const effectName = `${path.name}${name}${count === 1 ? "" : ` (${count})`}`;
    const { value, begunAt } = await step(name, (of) => performFor(of)(effectName, effect));
    path.sinceMs = Math.max(path.sinceMs, begunAt);
    return value;
  };

  /** Gives each result as text. */
  const goWays = async (ofWays: readonly FlowWay<FlowEventName, unknown>[], least?: number) => {
    ways += 1;
    const prefix = `${path.name}${ways}`;
    const batch = await context.parallel(
      least === undefined ? "all" : "any",
      ofWays.map((way, index) => ({
        name: String(index),
        func: async (inner: DurableContext) => {
          const own: FlowPath = { ...path, name: `${prefix}.${index} `, uses: new Map() };
          const text = toFlowText(await way(createFlow(inner, run, own)));
          return { text, sinceMs: own.sinceMs, knownKeys: own.knownKeys };
        },
      })),
      least === undefined ? {} : { completionConfig: { minSuccessful: least } },
    );
    const done = batch.succeeded().sort((one, other) => one.index - other.index);
    const needed = least ?? ofWays.length;
    if (done.length < needed) throw batch.getErrors()[0] ?? new Error("No way of the flow came to an end.");
    return done.slice(0, needed).map(({ result: { text, sinceMs, knownKeys } }) => {
      path.sinceMs = Math.max(path.sinceMs, sinceMs);
      path.knownKeys = [...new Set([...path.knownKeys, ...knownKeys])];
      return text;
    });
  };

  return {
    id,
    app,
    log,
    do: async <T>(name: string, what: Effect<T> | SingleOperation, ...args: ArgumentsOf<SingleOperation>) =>
      doEffect(name, "stepsWith" in what ? what : callingEffect(what, ...args)),
    wait: async (length) => context.wait("wait", { seconds: secondsOf(length) }),
    waitFor: async (trigger, { where, within }) =>
      waitForEvent(context, run, path, { trigger, where, seconds: secondsOf(within) }),
    all: async (ofWays) => fromFlowText(`[${(await goWays(ofWays)).join(",")}]`),
    any: async (ofWays) => fromFlowText((await goWays(ofWays, 1)).join("")),
    get cancelled() {
      cancelled ??= waitForCancel(context, run);
      return cancelled;
    },
    now: async () => (await step("now", async () => new Date(steps.now()))).value,
  };
}

interface Question {
  readonly trigger: FlowEventName;
  readonly where: unknown;
  readonly seconds: number;
}

async function waitForEvent(
  context: DurableContext,
  { id, app: { appId }, steps, marks, waits, callDurable }: FlowRun,
  path: FlowPath,
  { trigger, where, seconds }: Question,
) {
  const name = `wait for ${trigger}`;
  const { sinceMs, knownKeys } = path;
  const text = await context.runInChildContext(
    name,
    async (inner) => {
      const [woken, callbackId] = await inner.createCallback(name, { timeout: { seconds } });
      const of = { appId, trigger, callbackId };
      await doStep(
        inner,
        `ask for ${trigger}`,
        async () => {
          const untilMs = steps.now() + seconds * 1000;
          const wait: OpenWait = { ...of, flowId: id, where, sinceMs, untilMs, knownKeys };
          // Written down first and looked up then; whoever brings an event does it the other way round.
          await waits.open(wait);
          for (const kept of await marks.keptSince(appId, trigger, sinceMs)) {
            if (!isFor(wait, fromFlowText(kept.text), kept)) continue;
            await giveEvent(wait, kept, { waits, callDurable });
            return;
          }
        },
        steps,
      );
      await untilWoken(woken);
      const { value, at } = await doStep(
        inner,
        `outcome of ${trigger}`,
        async () => {
          const outcome = await waits.decide(callbackId, { kind: "over" });
          await waits.close(of);
          return outcome;
        },
        steps,
      );
      return toFlowText(value.kind === "event" ? value.event : { at });
    },
    { virtualContext: true },
  );
  const { key, receivedAt, text: event, at } = fromFlowText(text);
  path.sinceMs = Math.max(path.sinceMs, receivedAt ?? at);
  if (key === undefined) return undefined;
  path.knownKeys = [...path.knownKeys, key];
  return fromFlowText(event);
}

/** The time-out and the waking are told apart by the table, not by the callback. */
async function untilWoken(woken: Promise<unknown>): Promise<void> {
  try {
    await woken;
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
  }
}

async function waitForCancel(context: DurableContext, { id, cancels, steps }: FlowRun): Promise<void> {
  await context.runInChildContext(
    "cancelled",
    async (inner) => {
      const [asked, callbackId] = await inner.createCallback("cancelled");
      await doStep(inner, "listen for a cancel", () => cancels.listen(id, callbackId), steps);
      await untilWoken(asked);
    },
    { virtualContext: true },
  );
}
