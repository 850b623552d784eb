import { AwsError } from "../aws-error.ts";
import type { DurableJournal } from "./durable-journal.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { isWaiting } from "./pass-time.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

/** The ones that ended last; the others are forgotten before their retention is over. */
const mostEnded = 1_000;

export class ExecutionRegister {
  readonly #journal: DurableJournal | undefined;
  readonly #executions = new Map<string, StoredExecution>();
  readonly #callbacks = new Map<string, { readonly arn: string; readonly operationId: string }>();
  readonly #listeners: (() => void)[] = [];

  constructor(journal: DurableJournal | undefined) {
    this.#journal = journal;
    for (const execution of journal?.load() ?? []) this.#take(execution);
  }

  list(): readonly StoredExecution[] {
    return [...this.#executions.values()];
  }

  running(): readonly StoredExecution[] {
    return this.list().filter(({ status }) => status === "RUNNING");
  }

  get(arn: string): StoredExecution | undefined {
    return this.#executions.get(arn);
  }

  put(execution: StoredExecution): void {
    this.#executions.set(execution.arn, execution);
    this.#journal?.put(execution);
    if (execution.status !== "RUNNING") this.#forgetEnded();
    this.notify();
  }

  remove({ arn, operations }: StoredExecution): void {
    this.#executions.delete(arn);
    for (const { CallbackDetails } of operations) this.#callbacks.delete(CallbackDetails?.CallbackId ?? "");
    this.#journal?.remove(arn);
  }

  replace(executions: readonly StoredExecution[]): void {
    for (const execution of this.list()) this.remove(execution);
    for (const execution of structuredClone([...executions])) {
      this.#take(execution);
      this.#journal?.put(execution);
    }
    this.notify();
  }

  addCallback(callbackId: string, callback: { readonly arn: string; readonly operationId: string }): void {
    this.#callbacks.set(callbackId, callback);
  }

  /** @throws AwsError if this id does not exist, or is closed already */
  findCallback(callbackId: string): { execution: StoredExecution; operation: Operation } {
    const callback = this.#callbacks.get(callbackId);
    const execution = this.get(callback?.arn ?? "");
    const operation = execution?.operations.find(({ Id }) => Id === callback?.operationId);
    if (!execution || !operation) throw invalidDurableCall("Invalid callback id.");
    if (execution.status === "RUNNING" && isWaiting(operation)) return { execution, operation };
    throw new AwsError("CallbackTimeoutException", "The callback has expired or is closed already.");
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #forgetEnded(): void {
    const ended = this.list().filter(({ status }) => status !== "RUNNING");
    if (ended.length <= mostEnded) return;
    const endOf = ({ endedAtMs = 0 }: StoredExecution) => endedAtMs;
    const oldestFirst = ended.toSorted((one, other) => endOf(one) - endOf(other));
    for (const execution of oldestFirst.slice(0, -mostEnded)) this.remove(execution);
  }

  #take(execution: StoredExecution): void {
    const { arn, operations } = execution;
    this.#executions.set(arn, execution);
    for (const { Id: operationId, CallbackDetails: { CallbackId } = {} } of operations) {
      if (CallbackId !== undefined) this.addCallback(CallbackId, { arn, operationId });
    }
  }
}
