import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startHttpGateway } from "../../../local/cloud/gateway/http-gateway.ts";
import { LambdaService } from "../../../local/cloud/lambda/lambda-service.ts";
import type { Verdict } from "../budgets.ts";
import { at } from "../statistics.ts";

/** The local stack's times. */
export interface LocalStackFigures extends GatewayFigures, StartFigures {}

/** Measures the gateway and the start; the later starts find their caches filled. */
export async function measureLocalStack(rounds: number): Promise<LocalStackFigures> {
  return { ...(await measureGateway(rounds)), ...(await measureStart(4)) };
}

export function toLocalStackLines(figures: LocalStackFigures): string {
  const { p50Ms, bareP50Ms, startMs, bareStartMs } = figures;
  const ratio = (p50Ms / bareP50Ms).toFixed(1);
  const startRatio = (startMs / bareStartMs).toFixed(0);
  return [
    `local gateway and runtime: ${p50Ms.toFixed(2)} ms an invocation, ${ratio} × a bare server's ${bareP50Ms.toFixed(2)} ms`,
    `npm start to the first reply: ${(startMs / 1000).toFixed(2)} s, ${startRatio} × a bare process's ${bareStartMs.toFixed(0)} ms`,
  ].join("\n");
}

/** Compares waiting times, or on a slow machine their ratio to the bare minimum's, with the budgets. */
export function checkLocalStack(figures: LocalStackFigures): readonly Verdict[] {
  const { p50Ms, bareP50Ms, startMs, bareStartMs } = figures;
  const limitMs = Math.max(2, 10 * bareP50Ms);
  const startLimitMs = Math.max(3_000, 50 * bareStartMs);
  return [
    {
      name: "local stack: gateway and runtime, 2 ms or 10 × a bare server",
      isKept: p50Ms < limitMs,
      measured: `${p50Ms.toFixed(2)} ms`,
      limit: `${limitMs.toFixed(2)} ms`,
    },
    {
      name: "local stack: start to first reply, 3 s or 50 × a bare process",
      isKept: startMs < startLimitMs,
      measured: `${(startMs / 1000).toFixed(2)} s`,
      limit: `${(startLimitMs / 1000).toFixed(2)} s`,
    },
  ];
}

/** What the warm local gateway and runtime cost with an empty handler, one request after the other. */
interface GatewayFigures {
  /** Milliseconds from request to answer, the median of the calmest round. */
  readonly p50Ms: number;
  /** The same for a server of the same process that answers immediately, by the same client. */
  readonly bareP50Ms: number;
}

const warmUp = 200;
const requestsPerRound = 300;

/** Measures in rounds, in turns with the bare server: other work on the machine only ever adds. */
async function measureGateway(rounds: number): Promise<GatewayFigures> {
  const folder = mkdtempSync(join(tmpdir(), "bench-gateway-"));
  const lambda = new LambdaService({
    functions: [
      {
        key: "empty",
        name: "empty",
        arn: "arn:aws:lambda:eu-central-1:000000000000:function:empty",
        handler: "handler.handler",
        taskRoot: import.meta.dirname,
        region: "eu-central-1",
        timeoutMs: 20_000,
        memoryMb: 512,
        environment: {},
      },
    ],
    concurrency: 1,
    log: () => {},
    buildFolder: folder,
  });
  const gateway = await startHttpGateway({
    lambda,
    routes: [{ key: "POST /{appId}", functionKey: "empty" }],
  });
  const bare = createServer((_, response) => void response.end("{}"));
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const address = bare.address();
  const bareUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/app`;
  const agent = new Agent({ keepAlive: true });
  try {
    const url = `${gateway.url}/app`;
    for (let index = 0; index < warmUp; index += 1)
      await Promise.all([post(url, agent), post(bareUrl, agent)]);
    let [p50Ms, bareP50Ms] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < rounds; round += 1) {
      bareP50Ms = Math.min(bareP50Ms, await median(() => post(bareUrl, agent)));
      p50Ms = Math.min(p50Ms, await median(() => post(url, agent)));
    }
    return { p50Ms, bareP50Ms };
  } finally {
    agent.destroy();
    bare.close();
    await gateway.close();
    await lambda.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function median(act: () => Promise<void>) {
  const times: number[] = [];
  for (let index = 0; index < requestsPerRound; index += 1) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return at(
    times.toSorted((one, other) => one - other),
    0.5,
  );
}

function post(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": 2 };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.resume().once("end", resolve);
    });
    sent.once("error", reject);
    sent.end("{}");
  });
}

const root = join(import.meta.dirname, "..", "..", "..");

interface StartFigures {
  /** Milliseconds from `npm start`'s script to the line that shows the first reply. */
  readonly startMs: number;
  /** Milliseconds of an empty Node process. */
  readonly bareStartMs: number;
}

/** Returns the shortest of these starts, and of as many bare processes, in turns. */
async function measureStart(starts: number): Promise<StartFigures> {
  let startMs = Number.POSITIVE_INFINITY;
  let bareStartMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < starts; index += 1) {
    startMs = Math.min(startMs, await startOnce());
    bareStartMs = Math.min(bareStartMs, await startBare());
  }
  return { startMs, bareStartMs };
}

async function startBare() {
  const started = performance.now();
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}

async function startOnce() {
  const started = performance.now();
  const child = spawn(process.execPath, ["local/start.ts", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const replied = new Promise<number>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes("the reply appears")) resolve(performance.now() - started);
    });
    void ended.then(([code]) => reject(new Error(`npm start ended with ${code} before the first reply.`)));
  });
  try {
    return await replied;
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}
