import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Bundling } from "../../../build/bundle-functions.ts";
import type { Bundled, BundleOrder, Problem } from "./bundling.ts";
import { isEsbuildGone } from "./esbuild-gone.ts";

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

/** Bundles in a worker, started on first use. Repeats a call once if it or esbuild ends. */
export class Bundler implements BundlerTasks {
  readonly #data: BundlerData;
  #worker: Worker | undefined;
  #error: Error | undefined;
  #isClosed = false;

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

  /** Restarts the worker with current plugins and check. */
  async renew(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#error = undefined;
    await worker?.terminate();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.renew();
  }

  #start(): Worker {
    const url = new URL("./bundler-thread.ts", import.meta.url);
    const worker = new Worker(url, { workerData: this.#data, execArgv: [] });
    worker.unref();
    worker.on("error", (error: Error) => {
      if (worker === this.#worker) this.#error ??= error;
    });
    return worker;
  }

  async #call<Answer>(task: keyof BundlerTasks, order?: BundleOrder): Promise<Answer> {
    for (let isRepeated = false; !this.#isClosed; isRepeated = true) {
      this.#worker ??= this.#start();
      const worker = this.#worker;
      const reply = await ask<Answer>(worker, { task, order });
      const hasEnded = reply === undefined || isEsbuildGone(reply.error ?? "");
      const error = this.#error;
      if (hasEnded && worker === this.#worker) await this.renew();
      if (hasEnded && !isRepeated) continue;
      if (reply === undefined) throw error ?? endedError();
      if (reply.error === undefined) return reply.answer;
      throw new Error(`The functions cannot be bundled: ${reply.error}`);
    }
    throw endedError();
  }
}

type Reply<Answer> = { readonly answer: Answer; readonly error?: string };

async function ask<Answer>(worker: Worker, message: Omit<BundlerMessage, "port">) {
  const { port1, port2 } = new MessageChannel();
  const waiting = Promise.withResolvers<Reply<Answer> | undefined>();
  port1.once("message", (reply: Reply<Answer>) => {
    waiting.resolve(reply);
    port1.close();
  });
  port1.once("close", () => waiting.resolve(undefined));
  worker.postMessage({ ...message, port: port2 } satisfies BundlerMessage, [port2]);
  return await waiting.promise;
}

function endedError() {
  return new Error("The bundler has ended.");
}
