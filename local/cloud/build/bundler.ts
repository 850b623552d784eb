import { Worker } from "node:worker_threads";
import type { Bundled, BundleOrder, Bundling, Problem } from "./bundling.ts";

/** The settings of the bundler's thread. */
export interface BundlerData {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** The folder that the bundles' maps are written for: copies of bundles must lie beside it. */
  readonly taskRoot: string;
  /** What the module of esbuild's plugins learns of the service. */
  readonly provider: { readonly stage: string };
  readonly bundling: Bundling;
}

/** What the bundler's thread does. */
export interface BundlerTasks {
  /** Bundles. Of several entries it bundles those that can be. Never rejects for a mistake in the code. */
  bundle(order: BundleOrder): Promise<Bundled>;
  /** Returns the mistakes in config/. */
  check(): Promise<readonly Problem[]>;
  /** Returns the project's files that esbuild's plugins and the check are made of: if one changes, call `renew`. */
  files(): Promise<readonly string[]>;
  /** Makes later calls use the plugins and the check as they are now. */
  renew(): Promise<void>;
  /** Loads what is needed, so that the first edit need not wait for it. */
  warm(): Promise<void>;
}

export interface BundlerMessage {
  readonly id: number;
  readonly task: keyof BundlerTasks;
  readonly order: BundleOrder | undefined;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Bundles functions in a thread of its own. Calls reject once the thread has ended. */
export class Bundler implements BundlerTasks {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor(data: BundlerData) {
    this.#worker = new Worker(new URL("./bundler-thread.ts", import.meta.url), {
      workerData: data,
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("error", (error: Error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("The bundler has ended.")));
    this.#worker.on("message", ({ id, answer, error }: { id: number; answer: unknown; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#worker.unref();
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`The functions cannot be bundled: ${error}`));
    });
  }

  bundle(order: BundleOrder): Promise<Bundled> {
    return this.#call("bundle", order);
  }

  check(): Promise<readonly Problem[]> {
    return this.#call("check");
  }

  files(): Promise<readonly string[]> {
    return this.#call("files");
  }

  renew(): Promise<void> {
    return this.#call("renew");
  }

  warm(): Promise<void> {
    return this.#call("warm");
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  // The thread is part of this project: its answers have the shape that was asked for.
  async #call<Answer>(task: keyof BundlerTasks, order?: BundleOrder): Promise<Answer> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lastId += 1;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker.ref();
    this.#worker.postMessage({ id: this.#lastId, task, order } satisfies BundlerMessage);
    return await waiting.promise;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
