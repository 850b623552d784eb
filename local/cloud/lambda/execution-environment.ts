import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import type { FunctionDefinition, KillPoint } from "./function-definition.ts";
import { writeFunctionEnvironment } from "./function-environment.ts";
import { readFunctionOutput } from "./function-output.ts";
import type { InspectorDoor } from "./inspector-door.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { type Outcome, writeRuntimeError } from "./outcome.ts";
import { createPlatformLines } from "./platform-lines.ts";
import { readMemoryMb } from "./process-memory.ts";
import { type HandedOut, startRuntimeApi } from "./runtime-api.ts";

export interface EnvironmentOptions {
  /** Where debuggers come in; its process then listens for them. Default: none can. */
  readonly inspector?: InspectorDoor | undefined;
  readonly definition: FunctionDefinition;
  /** Stops the process between invocations, as Lambda does. */
  readonly freezes: boolean;
  readonly guard: OrphanGuard;
  /** Gets what the function writes, line by line. */
  readonly log: (line: string) => void;
  /** Gives what Lambda itself writes into the function's log. Default: nobody hears. */
  readonly logOfLambda?: ((line: string) => void) | undefined;
  /** Hears of each invocation that has ended. Default: nobody hears. */
  readonly onInvocation?: ((ended: EndedInvocation) => void) | undefined;
  /** Milliseconds that the functions' time is ahead of the machine's, asked at each invocation. Default: none. */
  readonly aheadMs?: (() => number) | undefined;
}

/** What Lambda measures of an invocation. */
export interface EndedInvocation {
  readonly requestId: string;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}

/** One process of a function. It handles one invocation at a time. */
export interface ExecutionEnvironment {
  /**
   * Waits until the function is loaded and hands it an event. Gives `gone` when the process, after an earlier
   * invocation, ended without having seen this one: hand it to another.
   */
  invoke(payload: string, killPoint?: KillPoint): Promise<Outcome | "gone">;
  /** Resolves with the port of its inspector once it listens; never where there is none. */
  readonly inspectorPort: Promise<number>;
  /** Resolves when the function is loaded, or with what came in its way. Lambda's limit for it holds. */
  readonly loaded: Promise<Outcome | "loaded">;
  /** False once its process has ended or been killed: start another one. */
  readonly isAlive: boolean;
  /** Ends the process as a power cut would. */
  kill(): void;
  /** Resolves when the process and its API are gone; kills it. */
  close(): Promise<void>;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib */
const initLimitMs = 10_000;
const memoryCheckMs = 50;
/** What a function under a debugger is told that it has. */
const debuggedTimeoutMs = 24 * 3_600_000;
/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxAnswerBytes = 6 * 1024 * 1024;

interface Running {
  readonly requestId: string;
  readonly payload: string;
  readonly killPoint: KillPoint | undefined;
  settle(outcome: Outcome | "gone"): void;
}

/** Starts a process that runs the deployed bundle of a function. */
export async function startExecutionEnvironment(options: EnvironmentOptions): Promise<ExecutionEnvironment> {
  const { definition, freezes, guard, inspector, logOfLambda = () => {}, aheadMs = () => 0 } = options;
  const lines = createPlatformLines(definition, logOfLambda);
  let give: ((invocation: HandedOut) => void) | undefined;
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let memoryCheck: NodeJS.Timeout | undefined;
  let isOutOfMemory = false;
  let hasEnded = false;
  let isDoomed = false;
  let hasServed = false;
  let isHandedOut = false; // whether the process knows of the invocation that runs
  let initError: string | undefined;
  let begunAt = 0;
  const inspectorPort = Promise.withResolvers<number>();
  const log = (line: string) => {
    const told = inspector === undefined ? undefined : readInspectorLine(line);
    if (told?.port !== undefined) inspectorPort.resolve(told.port);
    if (told === undefined) options.log(line);
  };
  const isDebugged = () => inspector?.isAttached() ?? false;
  const loading = Promise.withResolvers<Outcome | "loaded">();

  const endRun = () => {
    const { settle: tell } = running ?? {};
    running = undefined;
    clearTimeout(timer);
    clearInterval(memoryCheck);
    return tell;
  };
  const report = (requestId: string, hasFailed: boolean) => {
    if (!isHandedOut) return;
    const ended = { requestId, durationMs: performance.now() - begunAt, hasFailed };
    lines.end(requestId, ended);
    options.onInvocation?.(ended);
  };
  const settle = (outcome: Outcome | "gone") => {
    if (running !== undefined && outcome !== "gone") report(running.requestId, true);
    endRun()?.(outcome);
  };
  const settleAnswered = (requestId: string, outcome: Outcome) => {
    const tell = endRun();
    // Who reads the outcome finds in the log what led to it.
    void output.readUntilAnswer(requestId).then(() => {
      report(requestId, outcome.kind === "failed");
      tell?.(outcome);
    });
  };
  const api = await startRuntimeApi({
    onNext(next) {
      loading.resolve("loaded");
      give = next;
      if (running) handOut(running);
      else if (freezes) signal("SIGSTOP");
    },
    onResponse(requestId, body) {
      if (running?.requestId !== requestId) return;
      if (Buffer.byteLength(body) <= maxAnswerBytes) {
        return settleAnswered(requestId, { kind: "answered", body });
      }
      const text = `Response payload size exceeded maximum allowed payload size (${maxAnswerBytes} bytes).`;
      settleAnswered(requestId, { kind: "failed", body: tooLarge(text) });
    },
    onError(requestId, body) {
      if (running?.requestId === requestId) settleAnswered(requestId, { kind: "failed", body });
    },
    onInitError(body) {
      initError = body;
    },
  });

  const child = spawn(
    process.execPath,
    [...nodeFlags(definition, inspector), bootstrapFile, String(aheadMs())],
    {
      cwd: definition.taskRoot,
      env: writeFunctionEnvironment(definition, api.url),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a group of its own: Ctrl-C reaches this process, which then ends the functions
    },
  );
  const loadLimit = setInterval(() => {
    if (isDebugged()) return;
    clearInterval(loadLimit);
    const text = `The function was not loaded within ${initLimitMs / 1000} s.`;
    loading.resolve({ kind: "timedOut", body: writeRuntimeError("", "Sandbox.Timedout", text) });
  }, initLimitMs).unref();
  if (child.pid !== undefined) guard.watch(child.pid);
  const output = readFunctionOutput([child.stdout, child.stderr], log);
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      log(`${definition.key} could not be started: ${error.message}`);
      void finish(null, null).finally(resolve);
    });
    child.once("exit", killGroup); // what it started itself would keep its output open
    child.once("close", (code, endSignal) => void finish(code, endSignal).finally(resolve));
  });

  function signal(name: NodeJS.Signals) {
    if (child.pid !== undefined && !hasEnded) child.kill(name);
  }
  function killGroup() {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      child.kill("SIGKILL"); // there are no groups on Windows
    }
  }
  function kill() {
    isDoomed = true;
    if (!hasEnded) killGroup();
  }
  function handOut({ requestId, payload, killPoint }: Running) {
    const hand = give;
    give = undefined;
    hasServed = true;
    isHandedOut = true;
    begunAt = performance.now();
    lines.start(requestId);
    if (freezes) signal("SIGCONT");
    const deadlineMs = Date.now() + (isDebugged() ? debuggedTimeoutMs : definition.timeoutMs);
    limitTime(definition.timeoutMs);
    hand?.({
      requestId,
      deadlineMs,
      functionArn: definition.arn,
      payload,
      kill: killPoint && JSON.stringify(killPoint),
      aheadMs: aheadMs(),
    });
  }
  function limitTime(limitMs: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isDebugged()) return limitTime(limitMs);
      const { requestId = "" } = running ?? {};
      const seconds = (definition.timeoutMs / 1000).toFixed(2);
      const body = writeRuntimeError(
        requestId,
        "Sandbox.Timedout",
        `Task timed out after ${seconds} seconds`,
      );
      log(`${new Date().toISOString()} ${requestId} Task timed out after ${seconds} seconds`);
      kill();
      settle({ kind: "timedOut", body });
    }, limitMs);
  }
  function checkMemory() {
    if (isDebugged()) return; // a debugger keeps much alive
    const usedMb = child.pid === undefined ? undefined : readMemoryMb(child.pid);
    if (usedMb === undefined || usedMb <= definition.memoryMb) return;
    isOutOfMemory = true;
    log(`${definition.key} used ${Math.round(usedMb)} MB of its ${definition.memoryMb} MB and was killed.`);
    kill();
  }
  async function finish(code: number | null, endSignal: NodeJS.Signals | null): Promise<void> {
    hasEnded = true;
    clearInterval(loadLimit);
    loading.resolve({
      kind: "failed",
      body: initError ?? writeRuntimeError("", "Runtime.ExitError", describeEnd(code, endSignal)),
    });
    if (child.pid !== undefined) guard.forget(child.pid);
    if (initError !== undefined) settle({ kind: "failed", body: initError });
    else if (hasServed && !isHandedOut) settle("gone");
    else {
      const { requestId = "" } = running ?? {};
      const type = isOutOfMemory ? "Runtime.OutOfMemory" : "Runtime.ExitError";
      settle({ kind: "exited", body: writeRuntimeError(requestId, type, describeEnd(code, endSignal)) });
    }
    await api.close();
  }

  return {
    inspectorPort: inspectorPort.promise,
    loaded: loading.promise.finally(() => clearInterval(loadLimit)),
    get isAlive() {
      return !hasEnded && !isDoomed;
    },
    invoke: (payload, killPoint) =>
      new Promise((resolve) => {
        if (hasEnded) return resolve("gone");
        const requestId = randomUUID();
        const settleRun = (outcome: Outcome | "gone") =>
          resolve(outcome === "gone" ? outcome : { ...outcome, requestId });
        running = { requestId, payload, killPoint, settle: settleRun };
        isHandedOut = false;
        memoryCheck = setInterval(checkMemory, memoryCheckMs).unref();
        if (give) handOut(running);
        else limitTime(initLimitMs + definition.timeoutMs);
      }),
    kill,
    async close() {
      kill();
      await ended;
    },
  };
}

const bootstrapFile = join(import.meta.dirname, "bootstrap.mjs");

/** UNVERIFIED: how much of a function's memory Lambda's own runtime gives to V8's heap; nine tenths here. */
function nodeFlags({ memoryMb }: FunctionDefinition, inspector: InspectorDoor | undefined): string[] {
  const heap = `--max-old-space-size=${Math.floor(memoryMb * 0.9)}`;
  return inspector === undefined ? [heap] : [heap, "--inspect=127.0.0.1:0"];
}

/** What Node writes about its inspector is no line of the function. */
function readInspectorLine(line: string): { readonly port: number | undefined } | undefined {
  const [, port] = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line) ?? [];
  if (port !== undefined) return { port: Number(port) };
  const isOwn =
    /^(For help, see: https:\/\/nodejs\.org\/|Debugger attached\.$|Debugger ending on |Waiting for the debugger to)/;
  return isOwn.test(line) ? { port: undefined } : undefined;
}

function describeEnd(code: number | null, endSignal: NodeJS.Signals | null): string {
  const signals: Partial<Record<NodeJS.Signals, string>> = { SIGKILL: "killed", SIGABRT: "aborted" };
  if (endSignal !== null) return `Runtime exited with error: signal: ${signals[endSignal] ?? endSignal}`;
  return code === 0
    ? "Runtime exited without providing a reason"
    : `Runtime exited with error: exit status ${code}`;
}

function tooLarge(errorMessage: string): string {
  return JSON.stringify({ errorType: "Function.ResponseSizeTooLarge", errorMessage });
}
