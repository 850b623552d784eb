import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runs } from "../helpers/property-runs.ts";
import { flows, storeWith } from "./play-durable.ts";

// The checkpoint server of AWS's testing package is a worker that is spoken to by messages.
const require = createRequire(import.meta.url);
const packageFile = require.resolve("@aws/durable-execution-sdk-js-testing");
const workerFile = join(dirname(packageFile), "..", "dist", "checkpoint-server", "index.mjs");

let worker: Worker;
beforeAll(() => {
  worker = new Worker(workerFile, { workerData: { checkpointDelaySettings: 0 } });
});
afterAll(async () => {
  await worker.terminate();
});

// biome-ignore lint/suspicious/noExplicitAny: the worker's answers are AWS's own shapes
type Answer = any;

async function ask(type: string, params: object): Promise<Answer> {
  worker.postMessage({ type: "API_REQUEST", data: { type, params, requestId: randomUUID() } });
  const [{ data }] = await once(worker, "message");
  if ("error" in data) throw data.error;
  return data.response;
}

const ids = fc.constantFrom("a", "b", "c", "d");
const parent = fc.option(fc.constantFrom("a", "b"), { nil: undefined });
const error = { ErrorMessage: "no", ErrorType: "No" };
const named = <Shape extends object>(shape: Shape) =>
  fc.tuple(ids, parent).map(([Id, ParentId]) => ({
    Id,
    ...(ParentId !== undefined && ParentId !== Id && { ParentId }),
    Name: Id,
    ...shape,
  }));
const update = fc.oneof(
  named({ Type: "STEP", Action: "START", SubType: "Step" }),
  named({ Type: "STEP", Action: "SUCCEED", Payload: '"ä"' }),
  named({ Type: "STEP", Action: "FAIL", Error: error }),
  named({ Type: "STEP", Action: "RETRY", Error: error, StepOptions: { NextAttemptDelaySeconds: 5 } }),
  named({ Type: "STEP", Action: "RETRY", Payload: "1", StepOptions: { NextAttemptDelaySeconds: 5 } }),
  named({ Type: "STEP", Action: "RETRY" }),
  named({ Type: "STEP", Action: "SUCCEED", Error: error }),
  named({ Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 60 } }),
  named({ Type: "WAIT", Action: "SUCCEED" }),
  named({ Type: "CALLBACK", Action: "START" }),
  named({ Type: "CALLBACK", Action: "FAIL", Error: error }),
  named({ Type: "CONTEXT", Action: "START" }),
  named({ Type: "CONTEXT", Action: "SUCCEED", Payload: "2" }),
  named({ Type: "CONTEXT", Action: "SUCCEED", Payload: "2", ContextOptions: { ReplayChildren: true } }),
  named({ Type: "CONTEXT", Action: "FAIL", Error: error }),
  named({ Type: "CONTEXT", Action: "FAIL", Payload: "not an error" }),
  fc.constant({ Id: "x", Type: "EXECUTION", Action: "SUCCEED", Payload: "done" }),
);
const move = fc.oneof(
  { weight: 6, arbitrary: fc.array(update, { minLength: 1, maxLength: 3 }).map((updates) => ({ updates })) },
  { weight: 1, arbitrary: fc.constant({ passSeconds: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom("succeed", "fail").map((outcome) => ({ outcome })) },
);

it("gives the same operations as the checkpoint server of AWS's testing package", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const ours = await openOurs();
      const theirs = await openTheirs();
      const types = new Map<string, string>();
      for (const step of moves) {
        if (ours.isEnded()) break;
        const updates = "updates" in step ? step.updates : [];
        if (updates.some((one) => differs(one, updates, types, ours.state()))) continue;

        const [mine, other] = [await play(ours, step), await play(theirs, step)];

        expect(mine).toEqual(other);
        expect(ours.state()).toEqual(await theirs.state());
        if (mine === "refused") continue;
        for (const { Id, Type } of updates) types.set(Id, Type);
      }
      const afterIt = await Promise.all([ours, theirs].map((side) => settle(() => side.checkpoint([]))));
      expect(afterIt.map((answer) => answer === "refused")).toEqual([ours.isEnded(), ours.isEnded()]);
      ours.end();
    }),
    runs(20),
  );
});

type Move = { updates: object[] } | { passSeconds: number } | { outcome: string };

async function play(
  side: Awaited<ReturnType<typeof openTheirs>> | Awaited<ReturnType<typeof openOurs>>,
  step: Move,
) {
  if ("updates" in step) return await settle(() => side.checkpoint(step.updates));
  if ("passSeconds" in step) return await settle(() => side.pass(step.passSeconds));
  return await settle(() => side.close(step.outcome));
}

/**
 * Where the package is cruder than Amazon's pages: it takes an update of another type than the operation's, it leaves a
 * step that starts again as READY, and it forgets what came of a step whose first word is that it tries again.
 */
function differs(one: Update, updates: Update[], types: Map<string, string>, state: Answer[]): boolean {
  const { Id, Type, Action } = one;
  const known = types.get(Id) ?? updates.find((other) => other.Id === Id)?.Type;
  if (known !== Type) return true;
  if (Type !== "STEP") return false;
  const isReady = state.some((operation) => operation.Id === Id && operation.Status === "READY");
  if (Action === "START") return isReady;
  return (
    Action === "RETRY" &&
    updates.indexOf(one) === updates.findIndex((other) => other.Id === Id) &&
    !types.has(Id)
  );
}

interface Update {
  Id: string;
  Type: string;
  Action: string;
}

async function settle(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch {
    return "refused";
  }
}

/** What the two must agree on: not when it was, and not how ids and tokens look. */
function essence(operations: Answer[]): Answer[] {
  return operations
    .filter(({ Type }) => Type !== "EXECUTION")
    .map(({ StartTimestamp, EndTimestamp, WaitDetails, StepDetails, CallbackDetails, ...rest }) => {
      const { NextAttemptTimestamp, ...step } = StepDetails ?? {};
      const { CallbackId, ...callback } = CallbackDetails ?? {};
      return JSON.parse(
        JSON.stringify({
          ...rest,
          hasEnded: EndTimestamp !== undefined,
          ...(rest.Type === "STEP" && { step }),
          ...(rest.Type === "CALLBACK" && { callback, hasId: CallbackId !== undefined }),
        }),
      );
    })
    .map(({ ContextDetails, ...rest }) => ({ ...rest, context: ContextDetails ?? {} }))
    .toSorted((one, other) => one.Id.localeCompare(other.Id));
}

async function openOurs() {
  let finish = (_output: object) => {};
  const output = new Promise<object>((resolve) => {
    finish = resolve;
  });
  const made = storeWith(() => output);
  const { arn } = made.store.start(flows, { payload: "{}" });
  void made.store.runDue();
  await Promise.resolve();
  let token = made.inputs[0]?.CheckpointToken ?? "";
  const read = () => made.store.getState(arn, { CheckpointToken: token }).Operations;
  let isEnded = false;
  return {
    checkpoint(Updates: object[]) {
      const answer = made.store.checkpoint(arn, { CheckpointToken: token, Updates });
      token = answer.CheckpointToken;
      isEnded ||= Updates.some((one) => "Type" in one && one.Type === "EXECUTION");
      return essence(answer.NewExecutionState.Operations);
    },
    pass: (seconds: number) => {
      made.moveTo(made.now() + seconds * 1000);
    },
    close(outcome: string) {
      const open = read().find(({ Type, Status }) => Type === "CALLBACK" && Status === "STARTED");
      if (!open) return "none";
      const id = open.CallbackDetails?.CallbackId ?? "";
      made.store.completeCallback(id, outcome === "succeed" ? { result: "yes" } : { error });
      return "closed";
    },
    state: () => (isEnded ? [] : essence(read())),
    isEnded: () => isEnded,
    end: () => finish({ Status: "SUCCEEDED" }),
  };
}

async function openTheirs() {
  const started = await ask("StartDurableExecution", { payload: "{}", invocationId: randomUUID() });
  const { executionId } = started;
  let token = started.checkpointToken;
  let isEnded = false;
  const read = async (): Promise<Answer[]> =>
    (await ask("GetDurableExecutionState", { DurableExecutionArn: executionId, CheckpointToken: token }))
      .Operations;
  return {
    async checkpoint(Updates: object[]) {
      const answer = await ask("CheckpointDurableExecutionState", {
        DurableExecutionArn: executionId,
        CheckpointToken: token,
        Updates,
      });
      token = answer.CheckpointToken;
      isEnded ||= Updates.some((one) => "Type" in one && one.Type === "EXECUTION");
      return essence(answer.NewExecutionState.Operations);
    },
    async pass(_seconds: number) {
      for (const { Id: operationId, Type, Status } of await read()) {
        if (Type === "WAIT" && Status === "STARTED") {
          const operationData = { Status: "SUCCEEDED", EndTimestamp: new Date() };
          await ask("UpdateCheckpointData", { executionId, operationId, operationData });
        } else if (Status === "PENDING") {
          await ask("UpdateCheckpointData", { executionId, operationId, operationData: { Status: "READY" } });
        }
      }
    },
    async close(outcome: string) {
      const open = (await read()).find(({ Type, Status }) => Type === "CALLBACK" && Status === "STARTED");
      if (!open) return "none";
      const { CallbackId } = open.CallbackDetails;
      if (outcome === "succeed")
        await ask("SendDurableExecutionCallbackSuccess", { CallbackId, Result: Buffer.from("yes") });
      else await ask("SendDurableExecutionCallbackFailure", { CallbackId, Error: error });
      return "closed";
    },
    state: async () => (isEnded ? [] : essence(await read())),
  };
}
