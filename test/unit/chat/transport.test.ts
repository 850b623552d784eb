import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { startLoopback } from "./loopback.ts";

const base = { appId: "app1", apiKey: "0123456789abcdef0123456789abcdef01234567" };
const now = Date.UTC(2026, 0, 1);
const hello = { receiver: "alice", receiverType: "user", data: { text: "hi" } } as const;

it("a try does not start after the deadline if the host was suspended while it waited", async () => {
  let nowMs = now;
  let tries = 0;
  const chat = createChatClient({
    ...base,
    now: () => nowMs,
    // Timers stand still during the suspension: the shorter one still fires first.
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setTimeout(resolve, ms / 100));
      signal?.throwIfAborted();
      nowMs += 3_600_000;
    },
    fetch: async () => {
      tries += 1;
      return Response.json({}, { status: 429, headers: { "retry-after": "2" } });
    },
  });

  const reading = chat.users.get("alice", { deadlineMs: now + 10_000 });

  await expect(reading).rejects.toMatchObject({ phase: "wait", reason: "DEADLINE" });
  expect(tries).toBe(1);
});

it("a try distinguishes a refused connection from a lost answer", async () => {
  const { baseUrlTemplate } = await startLoopback((_, response) => response.destroy());
  const lost = createChatClient({ ...base, baseUrlTemplate });
  const refused = createChatClient({
    ...base,
    baseUrlTemplate: "http://127.0.0.1:2/{appId}.{service}-{region}",
  });

  const errors = [lost, refused].map((chat) =>
    chat.messages.send(hello, { maxTries: 1 }).catch((error) => error),
  );

  expect(await Promise.all(errors)).toMatchObject([
    { phase: "answer", maybeExecuted: true },
    { phase: "connect", maybeExecuted: false, reason: "ECONNREFUSED" },
  ]);
});

// The server runs in its own thread, also while this one is blocked. It sends no keep-alive hint, closes a
// connection on request, and notes that in memory that both threads share.
const serverCode = `
    const { createServer } = require("node:net");
    const { parentPort, workerData } = require("node:worker_threads");
    let count = 0;
    let last;
    parentPort.on("message", () => {
      last.once("close", () => {
        Atomics.store(workerData, 0, 1);
        Atomics.notify(workerData, 0);
      });
      last.destroy();
    });
    const server = createServer((socket) => {
      last = socket;
      socket.on("error", () => {});
      socket.on("data", () => {
        count += 1;
        const body = JSON.stringify({ data: { id: String(count) } });
        socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: " + body.length + "\\r\\n\\r\\n" + body);
      });
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  `;

it("a POST after a frozen function is sent once on a new connection, without a failed try", async () => {
  const isClosed = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(serverCode, { eval: true, workerData: isClosed });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const tries: (string | undefined)[] = [];
  const chat = createChatClient({
    ...base,
    baseUrlTemplate: `http://127.0.0.1:${port}/{appId}/{service}/{region}`,
    onTry: (report) => tries.push(report.code),
  });
  await chat.messages.send(hello);

  worker.postMessage("close");
  Atomics.wait(isClosed, 0, 0);
  const second = await chat.messages.send(hello);

  expect(second.id).toBe("2");
  expect(tries).toEqual([undefined, undefined]);
  await worker.terminate();
});
