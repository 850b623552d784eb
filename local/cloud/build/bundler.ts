import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Bundling } from "../../../build/bundle-functions.ts";
import type { Bundled, BundleOrder, Problem } from "./bundling.ts";

export interface BundlerData {
  readonly serviceFolder: string;
  /** Folder of the bundles' maps; copies must be in it. */
  readonly taskRoot: string;
  readonly provider: { readonly stage: string };
  readonly bundling: Bundling;
}

export interface BundlerTasks {
  /** Does not reject for errors in the code. */
  bundle(order: BundleOrder): Promise<Bundled>;
  check(): Promise<readonly Problem[]>;
  /** Files of esbuild's plugins and the check: call `renew` if they change. */
  files(): Promise<readonly string[]>;
  warm(): Promise<void>;
}

export interface BundlerMessage {
  readonly task: keyof BundlerTasks;
  readonly order: BundleOrder | undefined;
  readonly port: MessagePort;
}

/** Bundles in a worker, started on first use. Calls reject once it has ended by itself. */
export class Bundler implements BundlerTasks {
  readonly #data: BundlerData;
  #worker: Worker | undefined;
  #ended: Error | undefined;

  constructor(data: BundlerData) {
    this.#data = data;
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

  warm(): Promise<void> {
    return this.#call("warm");
  }

  /** Restarts the worker with current plugins and check; running calls reject. */
  async renew(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  close(): Promise<void> {
    return this.renew();
  }

  #start(): Worker {
    const url = new URL("./bundler-thread.ts", import.meta.url);
    const worker = new Worker(url, { workerData: this.#data, execArgv: [] });
    worker.unref();
    worker.on("error", (error: Error) => {
      if (worker === this.#worker) this.#ended ??= error;
    });
    return worker;
  }

  async #call<Answer>(task: keyof BundlerTasks, order?: BundleOrder): Promise<Answer> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#worker ??= this.#start();
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
