import { createBus } from "../bus.ts";
import type { DurableJournal } from "./durable-journal.ts";
import type { StoredExecution } from "./stored-execution.ts";

/** Unlike on AWS, older ones are forgotten before their retention ends, which frees their names. */
const mostEnded = 1_000;

export class ExecutionRegister {
  readonly #journal: DurableJournal | undefined;
  readonly #executions: Map<string, StoredExecution>;
  readonly #changes = createBus();
  readonly onChange = this.#changes.subscribe;
  readonly notify = this.#changes.publish;

  constructor(journal: DurableJournal | undefined) {
    this.#journal = journal;
    this.#executions = new Map(journal?.load().map((execution) => [execution.arn, execution]));
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
    this.#keep(execution);
    if (execution.status !== "RUNNING") this.#forgetEnded();
    this.notify();
  }

  remove({ arn }: StoredExecution): void {
    this.#executions.delete(arn);
    this.#journal?.remove(arn);
  }

  replace(executions: readonly StoredExecution[]): void {
    for (const execution of this.list()) this.remove(execution);
    for (const execution of structuredClone([...executions])) this.#keep(execution);
    this.notify();
  }

  #keep(execution: StoredExecution) {
    this.#executions.set(execution.arn, execution);
    this.#journal?.put(execution);
  }

  #forgetEnded() {
    const ended = this.list().filter(({ status }) => status !== "RUNNING");
    if (ended.length <= mostEnded) return;
    const endOf = ({ endedAtMs = 0 }: StoredExecution) => endedAtMs;
    const oldestFirst = ended.toSorted((one, other) => endOf(one) - endOf(other));
    for (const execution of oldestFirst.slice(0, -mostEnded)) this.remove(execution);
  }
}
