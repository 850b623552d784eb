import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Bundling } from "../../../build/bundle-functions.ts";
import type { Bundled, BundleOrder, Problem } from "./bundling.ts";

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
  /**
   * Returns the project's files that esbuild's plugins and the check are made of: if one changes, call
   * `renew`.
   */
  files(): Promise<readonly string[]>;
  /** Makes later calls use the plugins and the check as they are now. */
  renew(): Promise<void>;
  /** Loads what is needed, so that the first edit need not wait for it. */
  warm(): Promise<void>;
}

export interface BundlerMessage {
  readonly task: keyof BundlerTasks;
  readonly order: BundleOrder | undefined;
  /** Where the answer goes. */
  readonly port: MessagePort;
}

/** Bundles functions in a thread of its own. Calls reject once the thread has ended. */
export class Bundler implements BundlerTasks {
  readonly #worker: Worker;
  #ended: Error | undefined;

  constructor(data: BundlerData) {
    this.#worker = new Worker(new URL("./bundler-thread.ts", import.meta.url), {
      workerData: data,
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on("error", (error: Error) => (this.#ended ??= error));
    this.#worker.on("exit", () => (this.#ended ??= new Error("The bundler has ended.")));
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
    const { port1, port2 } = new MessageChannel();
    const waiting = Promise.withResolvers<Answer>();
    port1.once("message", ({ answer, error }: { answer: Answer; error?: string }) => {
      if (error === undefined) waiting.resolve(answer);
      else waiting.reject(new Error(`The functions cannot be bundled: ${error}`));
      port1.close();
    });
    port1.once("close", () => waiting.reject(this.#ended ?? new Error("The bundler has ended.")));
    this.#worker.postMessage({ task, order, port: port2 } satisfies BundlerMessage, [port2]);
    return await waiting.promise;
  }
}
