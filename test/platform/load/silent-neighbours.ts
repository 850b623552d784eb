import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";

// Measures how long a webhook waits for its events, alone and beside ten webhooks of the same host that never answer:
// `npx node test/platform/load/silent-neighbours.ts`. Not part of the tests. The platform runs in a process of its own.

const messages = 1_000;
const perSecond = 50;
const burst = 500;
const neighbours = 10;
const [app] = defaultSeed.apps;

if (process.argv[2] === "serve") await servePlatform(process.argv[3] ?? "", Number(process.argv[4]));
else await measure();

async function servePlatform(receiver: string, silent: number): Promise<void> {
  const hook = (id: string, path: string) => ({ id, url: `${receiver}/${path}`, triggers: ["message_sent"] });
  const webhooks = [
    hook("healthy", "healthy"),
    ...Array.from({ length: silent }, (_, index) => hook(`silent-${index}`, "silent")),
  ];
  const platform = await createPlatform({
    seed: { ...defaultSeed, apps: [{ ...app, webhooks }] },
    switches: { coreRateLimit: 1e9, standardRateLimit: 1e9 },
  });
  process.on("message", () => void platform.close().then(() => process.exit()));
  process.send?.(platform.appUrl(app.appId));
}

async function measure(): Promise<void> {
  for (const load of [steadily, atOnce]) {
    const alone = await measureBeside(0, load);
    const beside = await measureBeside(neighbours, load);
    const ratio = median(beside) / median(alone);
    process.stdout.write(
      `${load.name}: alone p50 ${ms(median(alone))}, p99 ${ms(at(alone, 0.99))}; beside ${neighbours} silent ` +
        `p50 ${ms(median(beside))}, p99 ${ms(at(beside, 0.99))}; ratio of p50 ${ratio.toFixed(2)}\n`,
    );
  }
}

type Send = (text: string) => Promise<void>;

async function measureBeside(silent: number, load: (send: Send) => Promise<number>): Promise<number[]> {
  const sentMs = new Map<string, number>();
  const tookMs: number[] = [];
  let expected = Number.POSITIVE_INFINITY;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const server = createServer(async (incoming, answer) => {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    if (incoming.url !== "/healthy") return;
    answer.end("{}");
    const body: { data: { message: { data: { text: string } } } } = JSON.parse(text);
    tookMs.push(performance.now() - (sentMs.get(body.data.message.data.text) ?? Number.NaN));
    if (tookMs.length === expected) finish();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const child = fork(fileURLToPath(import.meta.url), ["serve", `http://127.0.0.1:${port}`, String(silent)]);
  const [base] = (await once(child, "message")) as [string];
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  expected = await load(async (text) => {
    sentMs.set(text, performance.now());
    await post(`${base}/messages`, agent, text);
  });
  if (tookMs.length < expected) await finished;
  child.send("end");
  await once(child, "exit");
  agent.destroy();
  server.closeAllConnections();
  server.close();
  return tookMs.sort((left, right) => left - right);
}

async function steadily(send: Send): Promise<number> {
  const sent: Promise<void>[] = [];
  const startMs = performance.now();
  for (let index = 0; index < messages; index += 1) {
    const waitMs = startMs + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    sent.push(send(`steady ${index}`));
  }
  await Promise.all(sent);
  return messages;
}

async function atOnce(send: Send): Promise<number> {
  await Promise.all(Array.from({ length: burst }, (_, index) => send(`burst ${index}`)));
  return burst;
}

function post(url: string, agent: Agent, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" };
    const outgoing = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve());
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify({ receiver: "bob", receiverType: "user", data: { text } }));
  });
}

function median(sorted: readonly number[]): number {
  return at(sorted, 0.5);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
