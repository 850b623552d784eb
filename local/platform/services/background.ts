import { setImmediate } from "node:timers";

export class Background {
  #running = 0;
  #isStopped = false;
  #waiting: (() => void)[] = [];

  /** `task` must not throw. */
  start(task: () => void | Promise<void>): void {
    this.#running += 1;
    setImmediate(() => void this.#run(task));
  }

  /** Drops tasks that have not started. */
  stop(): void {
    this.#isStopped = true;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #run(task: () => void | Promise<void>) {
    try {
      if (!this.#isStopped) await task();
    } finally {
      this.#running -= 1;
      if (this.isIdle) for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}
