import { Worker } from "node:worker_threads";
import type { Bundled, BundleOrder, Bundling, Problem } from "./bundling.ts";

/** What the bundler's thread begins with. */
export interface BundlerData {
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** The folder that the bundles' maps are written for. */
  readonly taskRoot: string;
  /** What the module of esbuild's plugins is told of the service. */
  readonly provider: { readonly stage: string };
  readonly bundling: Bundling;
}

/** What the bundler's thread is asked. */
export type BundlerAsk =
  | { readonly kind: "bundle"; readonly order: BundleOrder }
  | { readonly kind: "check" | "files" | "renew" | "warm" };

/** Bundles functions in a thread of its own. */
export interface Bundler {
  bundle(order: BundleOrder): Promise<Bundled>;
  /** Says what does not fit in config/. */
  check(): Promise<readonly Problem[]>;
  /** Loads what is needed, so that the first edit need not wait for it. */
  warm(): Promise<void>;
  /** The project's own files that esbuild's plugins and the check are made of: when one changes, `renew`. */
  files(): Promise<readonly string[]>;
  /** Takes plugins and check as they are from now on. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

interface Asked {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Starts the thread. What is asked of it rejects when it has ended. */
export function startBundler(data: BundlerData): Bundler {
  const worker = new Worker(new URL("./bundler-thread.ts", import.meta.url), {
    workerData: data,
    execArgv: [],
  });
  worker.unref();
  const waiting = new Map<number, Asked>();
  let last = 0;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("The bundler has ended.")));
  worker.on("message", ({ id, answer, error }: { id: number; answer: unknown; error?: string }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(`The functions cannot be bundled: ${error}`));
  });
  // The thread is of this project: what it answers has the shape that was asked for.
  const ask = async <T>(what: BundlerAsk): Promise<T> => {
    if (ended !== undefined) throw ended;
    last += 1;
    const asked = Promise.withResolvers<T>();
    waiting.set(last, asked);
    worker.ref();
    worker.postMessage({ id: last, ask: what });
    return await asked.promise;
  };
  return {
    bundle: (order) => ask({ kind: "bundle", order }),
    check: () => ask({ kind: "check" }),
    warm: () => ask({ kind: "warm" }),
    files: () => ask({ kind: "files" }),
    renew: () => ask({ kind: "renew" }),
    async close() {
      await worker.terminate();
    },
  };
}
