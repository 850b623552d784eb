import { hash, randomUUID } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import { parseInput } from "../aws-operation.ts";
import { applyUpdate, checkSize, checkUpdates } from "./apply-updates.ts";
import { beginExecution } from "./begin-execution.ts";
import { checkpointSchema, type HistoryQuery, type ListQuery, type StateQuery } from "./durable-inputs.ts";
import type { DurableFunction, DurableStoreOptions, WaitingOperation } from "./durable-types.ts";
import { ExecutionRegister } from "./execution-register.ts";
import { describeExecution, listEvents, listExecutions, listVersions } from "./execution-reports.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { type Checkpointed, Invocations, makeToken, operationsPage } from "./invocations.ts";
import { closeCallback, endEarly, isWaiting, listDue, nextChangeAt, passTime } from "./pass-time.ts";
import { endExecution } from "./record-event.ts";
import type { ErrorObject, StoredExecution } from "./stored-execution.ts";

/**
 * Lambda's durable executions without network and timers: only `runDue` begins anything.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-functions.html
 */
export class DurableStore {
  readonly #options: DurableStoreOptions;
  readonly #register: ExecutionRegister;
  readonly #invocations: Invocations;

  constructor(options: DurableStoreOptions) {
    this.#options = options;
    this.#register = new ExecutionRegister(options.journal);
    this.#invocations = new Invocations(options, this.#register, () => this.#catchUp());
    for (const execution of this.#register.list()) {
      // The function may have been fixed before the restart.
      if (execution.failures > 0) execution.invokeAtMs = options.now();
    }
  }

  /** Repeatable. @throws AwsError if the name is used with another payload, also after its end */
  start(
    durable: DurableFunction,
    { name = randomUUID(), payload }: { name?: string | undefined; payload: string },
  ): { arn: string; isNew: boolean } {
    this.#catchUp();
    const existing = this.peek().find(
      (execution) => execution.functionName === durable.name && execution.name === name,
    );
    if (existing?.payload === payload) return { arn: existing.arn, isNew: false };
    if (existing) {
      const text = `An execution named ${name} was started with another payload.`;
      throw new AwsError("DurableExecutionAlreadyStartedException", text, 409);
    }
    const execution = beginExecution(durable, { name, payload, nowMs: this.#options.now() });
    this.#register.put(execution);
    return { arn: execution.arn, isNew: true };
  }

  /** Applies all or none. @throws AwsError if the token is not the latest, or an update cannot be applied */
  checkpoint(arn: string, input: unknown): Checkpointed {
    const request = parseInput("InvalidParameterValueException", checkpointSchema, input);
    const { CheckpointToken: token, Updates: updates = [], ClientToken } = request;
    const digest =
      ClientToken === undefined
        ? undefined
        : hash("sha256", JSON.stringify([ClientToken, token, updates]), "base64");
    const before = this.#invocations.get(arn)?.answers.get(digest ?? "");
    if (before) return structuredClone(before);
    const { execution, invocation } = this.#invocations.find(arn, token);
    checkUpdates(updates, new Map(execution.operations.map((operation) => [operation.Id, operation])));
    for (const update of updates) applyUpdate(execution, update, this.#options.now());
    invocation.token = makeToken();
    const Operations = execution.operations.filter(({ Id }) => execution.untold.includes(Id));
    execution.untold = [];
    this.#register.put(execution);
    const answer = structuredClone({ CheckpointToken: invocation.token, NewExecutionState: { Operations } });
    if (digest !== undefined) invocation.answers.set(digest, structuredClone(answer));
    return answer;
  }

  getState(arn: string, { CheckpointToken, Marker, MaxItems }: StateQuery) {
    const { execution } = this.#invocations.find(arn, CheckpointToken);
    return operationsPage(execution, { marker: Marker, maxItems: MaxItems });
  }

  completeCallback(callbackId: string, { result }: { readonly result: string }): void {
    this.#catchUp();
    for (const execution of this.peek()) {
      const operation = execution.operations.find(
        ({ CallbackDetails }) => CallbackDetails?.CallbackId === callbackId,
      );
      if (operation === undefined) continue;
      if (execution.status !== "RUNNING" || !isWaiting(operation))
        throw new AwsError("CallbackTimeoutException", "The callback has expired or is closed already.");
      checkSize("result of a callback", result);
      closeCallback(execution, operation, this.#options.now(), result);
      this.#keepOutsideChange(execution);
      return;
    }
    throw invalidDurableCall("Invalid callback id.");
  }

  /** A running invocation continues until its next checkpoint. */
  stop(arn: string, error?: ErrorObject): { StopTimestamp: Date } {
    const execution = this.#find(arn);
    const nowMs = this.#options.now();
    endExecution(execution, nowMs, { status: "STOPPED", error });
    this.#register.put(execution);
    return { StopTimestamp: new Date(execution.endedAtMs ?? nowMs) };
  }

  delete(arn: string): { DeletionRequestTimestamp: Date } {
    const execution = this.#find(arn);
    if (execution.status === "RUNNING")
      throw new AwsError("ResourceConflictException", "The durable execution has not ended.", 409);
    this.#register.remove(execution);
    return { DeletionRequestTimestamp: new Date(this.#options.now()) };
  }

  get(arn: string) {
    return describeExecution(this.#find(arn));
  }

  history(arn: string, query: HistoryQuery = {}) {
    return listEvents(this.#find(arn), query);
  }

  list(functionName: string, query: ListQuery = {}) {
    this.#catchUp();
    return listExecutions(this.peek(), functionName, query);
  }

  versions(functionName: string, marker?: string) {
    this.#catchUp();
    return listVersions(this.peek(), functionName, marker);
  }

  nextWakeAt(): number | undefined {
    if (this.#invocations.areStopped) return undefined;
    const times = this.#register.running().map((execution) => {
      const changeAtMs = nextChangeAt(execution);
      const { arn, invokeAtMs = changeAtMs } = execution;
      return this.#invocations.get(arn) !== undefined ? changeAtMs : Math.min(changeAtMs, invokeAtMs);
    });
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async runDue(): Promise<void> {
    this.#invocations.beginDue();
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.#invocations.idle();
  }

  peek(): readonly StoredExecution[] {
    return this.#register.list();
  }

  /**
   * Ends a wait, a step's delay or a callback's limit; without an id, the delay after a failed invocation.
   * @returns false if nothing waits
   * @throws AwsError if there is no such execution
   */
  hasten(arn: string, operationId?: string): boolean {
    const execution = this.#find(arn);
    const nowMs = this.#options.now();
    if (execution.status !== "RUNNING") return false;
    if (operationId === undefined) {
      if (this.#invocations.get(arn) !== undefined || (execution.invokeAtMs ?? 0) <= nowMs) return false;
      execution.invokeAtMs = nowMs;
    } else if (!endEarly(execution, operationId, nowMs)) return false;
    this.#keepOutsideChange(execution);
    return true;
  }

  onChange(listener: () => void): void {
    this.#register.onChange(listener);
  }

  waiting(): readonly WaitingOperation[] {
    this.#catchUp();
    return this.#register.running().flatMap((execution) => {
      const { arn, name: executionName, functionName, failures, invokeAtMs } = execution;
      const of = { arn, executionName, functionName };
      const waits: WaitingOperation[] = listDue(execution).map((due) => ({ ...of, ...structuredClone(due) }));
      if (failures > 0 && invokeAtMs !== undefined && this.#invocations.get(arn) === undefined) {
        waits.push({ ...of, kind: "invocation", atMs: invokeAtMs });
      }
      return waits;
    });
  }

  contents(): StoredExecution[] {
    return structuredClone([...this.peek()]);
  }

  /** Replaces all executions. Call `pause` and `idle` first. */
  putBack(executions: readonly StoredExecution[]): void {
    this.#register.replace(executions);
  }

  pause(): void {
    this.#invocations.areStopped = true;
  }

  resume(): void {
    this.#invocations.areStopped = false;
    this.#register.notify();
  }

  async close(): Promise<void> {
    this.#invocations.areStopped = true;
    await this.idle();
    this.#options.journal?.close();
  }

  #keepOutsideChange(execution: StoredExecution) {
    const running = this.#invocations.get(execution.arn);
    if (running) running.isOvertaken = true;
    this.#register.put(execution);
  }

  #catchUp() {
    const nowMs = this.#options.now();
    for (const execution of this.#register.list()) {
      const { endedAtMs = Infinity, retentionMs } = execution;
      if (endedAtMs + retentionMs <= nowMs) this.#register.remove(execution);
      else if (passTime(execution, nowMs)) this.#keepOutsideChange(execution);
    }
  }

  #find(arn: string): StoredExecution {
    this.#catchUp();
    const execution = this.#register.get(arn);
    if (execution) return execution;
    throw new AwsError("ResourceNotFoundException", `Durable execution not found: ${arn}`, 404);
  }
}
