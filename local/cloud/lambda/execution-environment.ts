import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import type { LocalServer } from "../local-server.ts";
import type { FunctionDefinition, KillPoint } from "./function-definition.ts";
import { writeFunctionEnvironment } from "./function-environment.ts";
import { type FunctionOutput, readFunctionOutput } from "./function-output.ts";
import type { InspectorPort } from "./inspector-port.ts";
import type { InvokeOptions, LambdaOptions } from "./lambda-options.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { describeEnd, type Outcome, writeRuntimeError } from "./outcome.ts";
import { type ProcessEnd, writeEndLines, writeStartLine } from "./platform-lines.ts";
import { readMemoryMb } from "./process-memory.ts";
import { type FunctionClock, type Receive, type RuntimeInvocation, startRuntimeApi } from "./runtime-api.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib */
const initLimitMs = 10_000;
const renewalLimitMs = 60_000;
const memoryCheckMs = 50;
const debuggedTimeoutMs = 24 * 3_600_000;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxAnswerBytes = 6 * 1024 * 1024;

const bootstrapFile = join(import.meta.dirname, "bootstrap.mjs");

interface Running {
  readonly requestId: string;
  readonly payload: string;
  readonly killPoint: KillPoint | undefined;
  readonly receive: Receive | undefined;
  settle(outcome: Outcome | "gone"): void;
}

/** Process of a function; handles one invocation at a time. */
export class ExecutionEnvironment {
  readonly #definition: FunctionDefinition;
  readonly #options: LambdaOptions;
  readonly #inspector: InspectorPort | undefined;
  readonly #guard: OrphanGuard;
  readonly #api: LocalServer;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #output: FunctionOutput;
  readonly #ended: Promise<void>;
  readonly #loading = Promise.withResolvers<Outcome | "loaded">();
  readonly #loadLimit: NodeJS.Timeout;
  readonly #inspectorPort = Promise.withResolvers<number>();
  #give: ((invocation: RuntimeInvocation) => void) | undefined;
  #running: Running | undefined;
  #timer: NodeJS.Timeout | undefined;
  #memoryCheck: NodeJS.Timeout | undefined;
  #isOutOfMemory = false;
  #hasEnded = false;
  #isKilled = false;
  #hasServed = false;
  #isHandedOut = false;
  #initError: string | undefined;
  #startedAt = 0;

  static async start(
    definition: FunctionDefinition,
    guard: OrphanGuard,
    options: LambdaOptions,
  ): Promise<ExecutionEnvironment> {
    const api = await startRuntimeApi();
    const environment = new ExecutionEnvironment(definition, guard, options, api);
    api.listen({
      onNext: (give) => environment.#onNext(give),
      onResponse: (requestId, body) => environment.#onResponse(requestId, body),
      receiverOf: (requestId) => environment.#runningOf(requestId)?.receive,
      onError: (requestId, body) => environment.#settleAnswered(requestId, { kind: "failed", body }),
      onInitError(body) {
        environment.#initError = body;
      },
    });
    return environment;
  }

  private constructor(
    definition: FunctionDefinition,
    guard: OrphanGuard,
    options: LambdaOptions,
    api: LocalServer,
  ) {
    this.#definition = definition;
    this.#options = options;
    this.#guard = guard;
    this.#api = api;
    this.#inspector = options.inspectors?.get(definition.key);
    // UNVERIFIED: how much memory Lambda's runtime gives to V8's heap; nine tenths here.
    const flags = [`--max-old-space-size=${Math.floor(definition.memoryMb * 0.9)}`];
    if (this.#inspector) flags.push("--inspect=127.0.0.1:0");
    this.#child = spawn(process.execPath, [...flags, bootstrapFile, JSON.stringify(this.#clock)], {
      cwd: definition.taskRoot,
      env: writeFunctionEnvironment(definition, api.url),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a group of its own: Ctrl-C reaches this process, which ends the functions
    });
    this.#loadLimit = setInterval(() => this.#endLoading(), renewalLimitMs).unref();
    if (this.#child.pid !== undefined) guard.watch(this.#child.pid);
    this.#output = readFunctionOutput([this.#child.stdout, this.#child.stderr], (line) => this.#log(line));
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#log(`${definition.key} could not be started: ${error.message}`);
        void this.#finish("").finally(resolve);
      });
      // Child processes would keep the output open.
      this.#child.once("exit", () => this.#killGroup());
      this.#child.once("close", (code, signal) => {
        void this.#finish(describeEnd(code, signal)).finally(resolve);
      });
    });
  }

  get loaded(): Promise<Outcome | "loaded"> {
    return this.#loading.promise;
  }

  get #clock(): FunctionClock {
    return this.#options.functionClock?.() ?? { offsetMs: 0 };
  }

  get isAlive(): boolean {
    return !this.#hasEnded && !this.#isKilled;
  }

  /**
   * Invokes the function once it is loaded.
   * @returns `gone` if a reused process ended without having received this event: retry with another
   */
  invoke(
    payload: string,
    killPoint?: KillPoint,
    { receive, requestId = randomUUID() }: InvokeOptions = {},
  ): Promise<Outcome | "gone"> {
    return new Promise((resolve) => {
      if (this.#hasEnded) return resolve("gone");
      const settle = (outcome: Outcome | "gone") =>
        resolve(outcome === "gone" ? outcome : { ...outcome, requestId });
      this.#running = { requestId, payload, killPoint, receive, settle };
      this.#isHandedOut = false;
      this.#memoryCheck = setInterval(() => this.#checkMemory(), memoryCheckMs).unref();
      if (this.#give) this.#handOut(this.#running);
      else this.#limitTime(initLimitMs + this.#definition.timeoutMs);
    });
  }

  kill(): void {
    this.#isKilled = true;
    if (!this.#hasEnded) this.#killGroup();
  }

  async close(): Promise<void> {
    this.kill();
    await this.#ended;
  }

  async leadDebuggersHere(): Promise<void> {
    this.#inspector?.forwardTo(await this.#inspectorPort.promise);
  }

  #onNext(give: (invocation: RuntimeInvocation) => void): void {
    clearInterval(this.#loadLimit);
    this.#loading.resolve("loaded");
    this.#give = give;
    if (this.#running) this.#handOut(this.#running);
  }

  #onResponse(requestId: string, body: string): void {
    const isTooLarge = Buffer.byteLength(body) > maxAnswerBytes;
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${maxAnswerBytes} bytes).`;
    const error = { errorType: "Function.ResponseSizeTooLarge", errorMessage };
    this.#settleAnswered(
      requestId,
      isTooLarge ? { kind: "failed", body: JSON.stringify(error) } : { kind: "answered", body },
    );
  }

  #handOut({ requestId, payload, killPoint }: Running): void {
    const { timeoutMs, arn } = this.#definition;
    const give = this.#give;
    this.#give = undefined;
    this.#hasServed = true;
    this.#isHandedOut = true;
    this.#startedAt = performance.now();
    writeStartLine(requestId, this.#definition, this.#options);
    this.#limitTime(timeoutMs);
    give?.({
      requestId,
      payload,
      functionArn: arn,
      deadlineMs: Date.now() + (this.#inspector?.isAttached ? debuggedTimeoutMs : timeoutMs),
      kill: killPoint && JSON.stringify(killPoint),
      clock: this.#clock,
    });
  }

  #limitTime(limitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#inspector?.isAttached) return this.#limitTime(limitMs);
      const { requestId = "" } = this.#running ?? {};
      const text = `Task timed out after ${(this.#definition.timeoutMs / 1000).toFixed(2)} seconds`;
      this.#log(`${new Date().toISOString()} ${requestId} ${text}`);
      this.kill();
      this.#settle({ kind: "timedOut", body: writeRuntimeError(requestId, "Sandbox.Timedout", text) });
    }, limitMs);
  }

  #endLoading(): void {
    if (this.#inspector?.isAttached) return;
    clearInterval(this.#loadLimit);
    const text = `The function was not loaded within ${renewalLimitMs / 1000} s.`;
    this.#loading.resolve({ kind: "timedOut", body: writeRuntimeError("", "Sandbox.Timedout", text) });
  }

  #checkMemory(): void {
    if (this.#inspector?.isAttached) return; // a debugger keeps much alive
    const { key, memoryMb } = this.#definition;
    const usedMb = readMemoryMb(this.#child.pid ?? 0);
    if (usedMb === undefined || usedMb <= memoryMb) return;
    this.#isOutOfMemory = true;
    this.#log(`${key} used ${Math.round(usedMb)} MB of its ${memoryMb} MB and was killed.`);
    this.kill();
  }

  /** Settles once all output is read. */
  #settleAnswered(requestId: string, outcome: Outcome): void {
    if (!this.#runningOf(requestId)) return;
    const { settle } = this.#endRun() ?? {};
    void this.#output.readUntilAnswer(requestId).then(() => {
      this.#report(requestId, outcome.kind === "failed");
      settle?.(outcome);
    });
  }

  #settle(outcome: Outcome | "gone", end?: ProcessEnd): void {
    const running = this.#endRun();
    if (running && outcome !== "gone") this.#report(running.requestId, true, end);
    running?.settle(outcome);
  }

  #runningOf(requestId: string): Running | undefined {
    return this.#running?.requestId === requestId ? this.#running : undefined;
  }

  #endRun(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(this.#timer);
    clearInterval(this.#memoryCheck);
    return running;
  }

  #report(requestId: string, hasFailed: boolean, end?: ProcessEnd): void {
    if (!this.#isHandedOut) return;
    const ended = { requestId, durationMs: performance.now() - this.#startedAt, hasFailed };
    writeEndLines({ ...ended, end }, this.#definition, this.#options);
    this.#options.onInvocation?.(ended, this.#definition);
  }

  async #finish(reason: string): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#loadLimit);
    const { requestId = "" } = this.#running ?? {};
    const errorType = this.#isOutOfMemory ? "Runtime.OutOfMemory" : "Runtime.ExitError";
    const body = this.#initError ?? writeRuntimeError(requestId, errorType, reason);
    const end = { errorType, error: reason };
    this.#loading.resolve({ kind: "failed", body });
    if (this.#child.pid !== undefined) this.#guard.forget(this.#child.pid);
    if (this.#initError !== undefined) this.#settle({ kind: "failed", body });
    else this.#settle(this.#hasServed && !this.#isHandedOut ? "gone" : { kind: "exited", body }, end);
    await this.#api.close();
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      this.#child.kill("SIGKILL");
    }
  }

  #log(line: string): void {
    if (this.#inspector) {
      const [, port] = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line) ?? [];
      if (port !== undefined) this.#inspectorPort.resolve(Number(port));
      if (port !== undefined || inspectorLine.test(line)) return;
    }
    this.#options.log(line, this.#definition);
  }
}

const inspectorLine =
  /^(For help, see: https:\/\/nodejs\.org\/|Debugger attached\.$|Debugger ending on |Waiting for the debugger to)/;
