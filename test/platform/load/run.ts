import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { fullAccessKey, groupGuid, loadAppId, loadUsers, storedMessages, userUid } from "./world.ts";

// Measures the platform with 100,000 stored messages: `npx node test/platform/load/run.ts`. Not part of the tests.

const concurrency = Number(process.argv[2] ?? 32);
const warmUpMs = 2_000;
const measuredMs = 10_000;
const burst = 10_000;
const agent = new Agent({ keepAlive: true, maxSockets: 128 });

const filledAt = performance.now();
const child = fork(fileURLToPath(new URL("serve.ts", import.meta.url)));
const [{ url }] = (await once(child, "message")) as [{ url: string }];
const base = `${url}/${loadAppId}.api-us/v3`;
print(`${storedMessages} messages stored in ${seconds(performance.now() - filledAt)} s.`);

await mixedLoad(warmUpMs);
const { latencies, errors, tookMs } = await mixedLoad(measuredMs);
latencies.sort((left, right) => left - right);
print(
  `Mixed reads and writes, ${concurrency} at a time: ${Math.round((latencies.length / tookMs) * 1_000)} requests a second, ` +
    `p50 ${at(latencies, 0.5)} ms, p99 ${at(latencies, 0.99)} ms, worst ${at(latencies, 1)} ms, ${errors} errors.`,
);

await deliveryBurst();
child.send("end");
await once(child, "exit");
agent.destroy();

async function mixedLoad(forMs: number): Promise<{ latencies: number[]; errors: number; tookMs: number }> {
  const latencies: number[] = [];
  let errors = 0;
  let turn = 0;
  const startedMs = performance.now();
  const worker = async () => {
    while (performance.now() - startedMs < forMs) {
      turn += 1;
      const sentMs = performance.now();
      const status = await mixedCall(turn);
      latencies.push(performance.now() - sentMs);
      if (status !== 200) errors += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { latencies, errors, tookMs: performance.now() - startedMs };
}

// Six reads and four writes of ten, over all users and the whole range of messages.
function mixedCall(turn: number): Promise<number> {
  const as = userUid((turn * 13) % loadUsers);
  const other = userUid((turn * 13 + 1 + (turn % 90)) % loadUsers);
  const messageId = 1 + ((turn * 7_919) % storedMessages);
  switch (turn % 10) {
    case 0:
      return call("GET", `/messages/${messageId}`);
    case 1:
      return call("GET", `/users/${other}/messages?limit=30&affix=prepend&id=${messageId}`, { as });
    case 2:
      return call("GET", `/groups/${groupGuid(turn % 5)}/messages?limit=30`, { as });
    case 3:
      return call("GET", "/conversations?perPage=20", { as });
    case 4:
      return call("GET", `/users/${other}`);
    case 5:
      return call("GET", "/users?perPage=25");
    case 9:
      return call("PUT", `/messages/${messageId}`, { body: { data: { text: `Edited ${turn}` } } });
    default:
      return send(turn, as, other);
  }
}

function send(turn: number, as: string, receiver: string): Promise<number> {
  return call("POST", "/messages", {
    as,
    body: { receiver, receiverType: "user", data: { text: `Load ${turn}` } },
  });
}

async function deliveryBurst(): Promise<void> {
  const seen = new Map<string, number>();
  const receiver = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      seen.set(data.message.id, (seen.get(data.message.id) ?? 0) + 1);
      outgoing.end("{}");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const webhookURL = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const management = { key: "load-key", secret: "load-secret", "x-webhook-version": "2" };
  const app = `${url}/apimgmt/apps/${loadAppId}`;
  await post(`${app}/webhooks`, management, { id: "burst", name: "burst", webhookURL, retryOnFailure: true });
  await post(`${app}/webhooks/burst/triggers`, management, { triggerIds: ["message_sent"] });

  const startedMs = performance.now();
  let turn = 0;
  const worker = async () => {
    while (turn < burst) {
      turn += 1;
      await send(turn, userUid(turn % loadUsers), userUid((turn + 1) % loadUsers));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const sentMs = performance.now();
  child.send("count");
  const [{ counts, rss }] = (await once(child, "message")) as [
    { counts: Record<string, number>; rss: number },
  ];
  const doubles = [...seen.values()].filter((count) => count > 1).length;
  print(
    `${burst} messages sent in ${seconds(sentMs - startedMs)} s; after ${seconds(performance.now() - startedMs)} s ` +
      `the platform counts ${JSON.stringify(counts)}, the receiver ${seen.size} different ones and ${doubles} doubles. ` +
      `The platform uses ${Math.round(rss / 2 ** 20)} MB.`,
  );
  if (seen.size !== burst || counts.delivered !== burst) process.exitCode = 1;
  receiver.close();
  receiver.closeAllConnections();
}

async function post(target: string, headers: Record<string, string>, body: unknown): Promise<void> {
  const response = await fetch(target, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target} answered ${response.status}.`);
  await response.text();
}

function call(method: string, path: string, options: { as?: string; body?: unknown } = {}): Promise<number> {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${base}${path}`,
      {
        method,
        agent,
        headers: {
          apikey: fullAccessKey,
          ...(options.as === undefined ? {} : { onBehalfOf: options.as }),
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        },
      },
      (incoming) => {
        incoming.resume();
        incoming.on("end", () => resolve(incoming.statusCode ?? 0));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
