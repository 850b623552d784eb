import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpGateway } from "../../../local/cloud/gateway/http-gateway.ts";
import { LambdaService } from "../../../local/cloud/lambda/lambda-service.ts";
import { medianOf } from "../statistics.ts";

/** What the local gateway and runtime cost beside a handler that does nothing, warm, one request after the other. */
export interface GatewayFigures {
  /** Milliseconds from request to answer, the median of the calmest round. */
  readonly p50Ms: number;
  /** The same for a server of the same process that answers at once, by the same client. */
  readonly bareP50Ms: number;
}

const warmUp = 200;
const requestsPerRound = 300;

/** Measures in rounds, in turns with the bare server: other work on the machine only ever adds. */
export async function measureGateway(rounds: number): Promise<GatewayFigures> {
  const folder = mkdtempSync(join(tmpdir(), "bench-gateway-"));
  const lambda = new LambdaService({
    functions: [
      {
        ...{ key: "empty", name: "empty", arn: "arn:aws:lambda:eu-central-1:000000000000:function:empty" },
        ...{ handler: "handler.handler", taskRoot: import.meta.dirname, region: "eu-central-1" },
        ...{ timeoutMs: 20_000, memoryMb: 512, environment: {} },
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
    const measured: GatewayFigures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bareP50Ms = await median(() => post(bareUrl, agent));
      const p50Ms = await median(() => post(url, agent));
      measured.push({ p50Ms, bareP50Ms });
    }
    const least = (name: keyof GatewayFigures) => Math.min(...measured.map((one) => one[name]));
    return { p50Ms: least("p50Ms"), bareP50Ms: least("bareP50Ms") };
  } finally {
    agent.destroy();
    bare.close();
    await gateway.close();
    await lambda.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function median(act: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < requestsPerRound; index += 1) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return medianOf(times);
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
