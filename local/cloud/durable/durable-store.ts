import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Outcome, writeRuntimeError } from "../lambda/outcome.ts";
import { applyOperationUpdate } from "./apply-operation-update.ts";
import { beginExecution } from "./begin-execution.ts";
import { checkUpdates, maxPayloadBytes } from "./check-updates.ts";
import { DurableError, invalidDurableCall } from "./durable-error.ts";
import { checkpointSchema, type OperationUpdate } from "./durable-inputs.ts";
import type { DurableInvocationInput, DurableStore, DurableStoreOptions } from "./durable-types.ts";
import { describeExecution, listEvents, listExecutions } from "./execution-reports.ts";
import { finishInvocation } from "./finish-invocation.ts";
import { closeCallback, endEarly, isWaiting, listDue, nextChangeAt, passTime } from "./pass-time.ts";
import { endExecution } from "./record-event.ts";
import { cutPage, listReplayOperations, type Page } from "./replay-view.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

/** An invocation that runs. */
interface Invocation {
  token: string;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Whether something changed from outside while it ran. */
  isOvertaken: boolean;
  /** Answers to requests that may come again, by client token and checkpoint token. */
  readonly answers: Map<string, ReturnType<DurableStore["checkpoint"]>>;
  done: Promise<void>;
}

/** UNVERIFIED: the page says "exponential backoff" without times; here from 1 s to 15 min. */
const defaultRetryDelayMs = (failures: number) => Math.min(1000 * 2 ** (failures - 1), 900_000);

/** Makes a store with the executions of `journal`, or an empty one. */
export function createDurableStore(options: DurableStoreOptions): DurableStore {
  const { now, invoke, journal, retryDelayMs = defaultRetryDelayMs, initialOperations = 1000 } = options;
  const executions = new Map<string, StoredExecution>();
  const invocations = new Map<string, Invocation>();
  const callbacks = new Map<string, { arn: string; operationId: string }>();
  const waiters = new Map<string, (() => void)[]>();
  let listeners: (() => void)[] = [];
  let isClosed = false;
  let isPaused = false;

  const keep = (execution: StoredExecution) => {
    executions.set(execution.arn, execution);
    journal?.put(execution);
    if (execution.status !== "RUNNING") {
      for (const tell of waiters.get(execution.arn) ?? []) tell();
      waiters.delete(execution.arn);
    }
    for (const listener of listeners) listener();
  };
  const forget = ({ arn }: StoredExecution) => {
    executions.delete(arn);
    for (const [id, callback] of callbacks) if (callback.arn === arn) callbacks.delete(id);
    journal?.remove(arn);
  };
  /** Brings everything up to the present. */
  const catchUp = () => {
    const nowMs = now();
    for (const execution of executions.values()) {
      const { endedAtMs = Number.POSITIVE_INFINITY, retentionMs } = execution;
      if (endedAtMs + retentionMs <= nowMs) forget(execution);
      else if (passTime(execution, nowMs)) noteOutsideChange(execution);
    }
  };
  const noteOutsideChange = (execution: StoredExecution) => {
    const running = invocations.get(execution.arn);
    if (running) running.isOvertaken = true;
    keep(execution);
  };
  const find = (arn: string) => {
    catchUp();
    const execution = executions.get(arn);
    if (execution) return execution;
    throw new DurableError("ResourceNotFoundException", `Durable execution not found: ${arn}`, 404);
  };
  const findInvocation = (arn: string, token: string) => {
    catchUp();
    const execution = executions.get(arn);
    const invocation = invocations.get(arn);
    if (execution?.status === "RUNNING" && invocation?.token === token) return { execution, invocation };
    // The SDK tells this error by its beginning from those that end the execution.
    throw invalidDurableCall("Invalid Checkpoint Token");
  };
  const findCallback = (callbackId: string) => {
    catchUp();
    const callback = callbacks.get(callbackId);
    const execution = executions.get(callback?.arn ?? "");
    const operation = execution?.operations.find(({ Id }) => Id === callback?.operationId);
    if (!execution || !operation) throw invalidDurableCall("Invalid callback id.");
    if (execution.status === "RUNNING" && isWaiting(operation)) return { execution, operation };
    throw new DurableError("CallbackTimeoutException", "The callback has expired or is closed already.");
  };

  const beginDue = () => {
    if (isClosed || isPaused) return;
    catchUp();
    for (const execution of executions.values()) {
      const { arn, invokeAtMs = Number.POSITIVE_INFINITY } = execution;
      if (invokeAtMs <= now() && !invocations.has(arn)) begin(execution);
    }
  };
  const begin = (execution: StoredExecution) => {
    const invocation: Invocation = {
      token: makeToken(),
      requestId: randomUUID(),
      startedAtMs: now(),
      isOvertaken: false,
      answers: new Map(),
      done: Promise.resolve(),
    };
    const UpdatedOperationIds = execution.untold;
    execution.untold = [];
    invocations.set(execution.arn, invocation);
    const { items, nextMarker } = cutPage(listReplayOperations(execution), { maxItems: initialOperations });
    const input = {
      DurableExecutionArn: execution.arn,
      CheckpointToken: invocation.token,
      InitialExecutionState: {
        Operations: structuredClone(items),
        ...(nextMarker !== undefined && { NextMarker: nextMarker }),
      },
      UpdatedOperationIds,
    };
    invocation.done = run(execution, invocation, input).then(beginDue);
  };
  const run = async (execution: StoredExecution, invocation: Invocation, input: DurableInvocationInput) => {
    const outcome = await Promise.resolve()
      .then(() => invoke(execution.functionName, input))
      .catch((error): Outcome => {
        return {
          kind: "failed",
          body: writeRuntimeError(invocation.requestId, "ServiceException", String(error)),
        };
      });
    invocations.delete(execution.arn);
    if (executions.get(execution.arn) !== execution) return; // forgotten meanwhile
    if (passTime(execution, now())) invocation.isOvertaken = true;
    finishInvocation(execution, outcome, { ...invocation, nowMs: now(), retryDelayMs });
    keep(execution);
  };
  const idle = async () => {
    while (invocations.size > 0) await Promise.all([...invocations.values()].map(({ done }) => done));
  };

  const takeStored = (execution: StoredExecution) => {
    executions.set(execution.arn, execution);
    for (const { Id, CallbackDetails } of execution.operations) {
      const { CallbackId } = CallbackDetails ?? {};
      if (CallbackId !== undefined) callbacks.set(CallbackId, { arn: execution.arn, operationId: Id });
    }
  };
  for (const execution of journal?.load() ?? []) {
    takeStored(execution);
    // Whoever starts the local world anew may have mended the function: it need not wait for its next try.
    if (execution.failures > 0) execution.invokeAtMs = now();
  }

  return {
    start(durable, { name = randomUUID(), payload }) {
      catchUp();
      const sameName = [...executions.values()].find(
        (execution) => execution.functionName === durable.name && execution.name === name,
      );
      if (sameName?.payload === payload) return { arn: sameName.arn, isNew: false };
      if (sameName) {
        throw new DurableError(
          "DurableExecutionAlreadyStartedException",
          `An execution named ${name} was started with another payload.`,
          409,
        );
      }
      const execution = beginExecution(durable, { name, payload, nowMs: now() });
      keep(execution);
      return { arn: execution.arn, isNew: true };
    },
    checkpoint(arn, input) {
      const parsed = checkpointSchema.safeParse(input);
      if (!parsed.success) throw invalidDurableCall(describe(parsed.error.issues));
      const { CheckpointToken: token, Updates: updates = [], ClientToken } = parsed.data;
      const again = ClientToken === undefined ? undefined : digest([ClientToken, token, updates]);
      const before = again === undefined ? undefined : invocations.get(arn)?.answers.get(again);
      if (before) return structuredClone(before);
      const { execution, invocation } = findInvocation(arn, token);
      checkUpdates(updates, new Map(execution.operations.map((operation) => [operation.Id, operation])));
      for (const update of updates) {
        applyOperationUpdate(execution, update, now(), () => openCallback(execution, update));
      }
      invocation.token = makeToken();
      const untold = new Set(execution.untold);
      const Operations = structuredClone(execution.operations.filter(({ Id }) => untold.has(Id)));
      execution.untold = [];
      keep(execution);
      const answer = { CheckpointToken: invocation.token, NewExecutionState: { Operations } };
      if (again !== undefined) invocation.answers.set(again, structuredClone(answer));
      return answer;
    },
    getState(arn, { CheckpointToken, Marker, MaxItems }) {
      const { execution } = findInvocation(arn, CheckpointToken);
      return toOperations(cutPage(listReplayOperations(execution), { marker: Marker, maxItems: MaxItems }));
    },
    completeCallback(callbackId, outcome) {
      const { execution, operation } = findCallback(callbackId);
      const size = "result" in outcome ? outcome.result : JSON.stringify(outcome.error);
      if (Buffer.byteLength(size) > maxPayloadBytes) {
        throw invalidDurableCall(`A callback's result is limited to ${maxPayloadBytes} bytes.`);
      }
      closeCallback(
        execution,
        operation,
        now(),
        "result" in outcome ? { status: "SUCCEEDED", ...outcome } : { status: "FAILED", ...outcome },
      );
      noteOutsideChange(execution);
    },
    heartbeat(callbackId) {
      const { execution, operation } = findCallback(callbackId);
      const limits = execution.callbacks[operation.Id];
      if (limits?.heartbeatMs !== undefined) limits.heartbeatDueAtMs = now() + limits.heartbeatMs;
      keep(execution);
    },
    stop(arn, error) {
      const execution = find(arn);
      endExecution(execution, now(), { status: "STOPPED", error });
      keep(execution);
      return { StopTimestamp: new Date(execution.endedAtMs ?? now()) };
    },
    get: (arn) => describeExecution(find(arn)),
    history: (arn, query = {}) => listEvents(find(arn), query),
    list(functionName, query = {}) {
      catchUp();
      return listExecutions([...executions.values()], functionName, query);
    },
    nextWakeAt() {
      if (isClosed || isPaused) return undefined;
      const times = [...executions.values()]
        .filter(({ status }) => status === "RUNNING")
        .flatMap((execution) => {
          const changeAtMs = nextChangeAt(execution);
          if (invocations.has(execution.arn)) return [changeAtMs];
          return [Math.min(changeAtMs, execution.invokeAtMs ?? changeAtMs)];
        });
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async runDue() {
      beginDue();
      await idle();
    },
    idle,
    async ended(arn) {
      const execution = find(arn);
      if (execution.status === "RUNNING") {
        await new Promise<void>((resolve) => {
          waiters.set(arn, [...(waiters.get(arn) ?? []), resolve]);
        });
      }
      return describeExecution(execution);
    },
    peek: () => [...executions.values()],
    hasten(arn, operationId) {
      const execution = find(arn);
      if (execution.status !== "RUNNING") return false;
      if (operationId === undefined) {
        if (invocations.has(arn) || (execution.invokeAtMs ?? 0) <= now()) return false;
        execution.invokeAtMs = now();
      } else if (!endEarly(execution, operationId, now())) return false;
      noteOutsideChange(execution);
      return true;
    },
    onChange(listener) {
      listeners = [...listeners, listener];
    },
    waiting() {
      catchUp();
      const running = [...executions.values()].filter(({ status }) => status === "RUNNING");
      return running.flatMap((execution) => {
        const { arn, name: executionName, functionName, failures, invokeAtMs } = execution;
        const of = { arn, executionName, functionName };
        const waits = listDue(execution).map((due) => ({
          ...of,
          ...due,
          operation: structuredClone(due.operation),
        }));
        if (failures === 0 || invokeAtMs === undefined || invocations.has(arn)) return waits;
        return [...waits, { ...of, kind: "invocation" as const, atMs: invokeAtMs }];
      });
    },
    contents: () => structuredClone([...executions.values()]),
    putBack(kept) {
      for (const execution of executions.values()) forget(execution);
      waiters.clear();
      for (const execution of structuredClone([...kept])) {
        takeStored(execution);
        journal?.put(execution);
      }
      for (const listener of listeners) listener();
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const listener of listeners) listener();
    },
    clear() {
      for (const execution of executions.values()) forget(execution);
    },
    async close() {
      isClosed = true;
      await idle();
      journal?.close();
    },
  };

  function openCallback({ arn }: StoredExecution, { Id }: OperationUpdate): string {
    const callbackId = randomBytes(96).toString("base64");
    callbacks.set(callbackId, { arn, operationId: Id });
    return callbackId;
  }
}

function toOperations({ items, nextMarker }: Page<Operation>) {
  return { Operations: structuredClone(items), ...(nextMarker !== undefined && { NextMarker: nextMarker }) };
}

function makeToken(): string {
  return randomBytes(48).toString("base64");
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}

function describe(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
