import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { createSender } from "../../local/platform/webhooks/send.ts";

async function startCalled() {
  let requests = 0;
  let mode: "answer" | "hang" | "crash" = "answer";
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests += 1;
      if (mode === "crash") request.socket.destroy();
      if (mode === "answer") response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sender = createSender();
  onTestFinished(async () => {
    sender.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const send = (timeoutMs = 30_000) =>
    sender.send({
      url: `http://127.0.0.1:${port}/`,
      body: "{}",
      timeoutMs,
      authorization: undefined,
    });
  await send();
  return {
    server,
    send,
    requests: () => requests,
    behave: (next: typeof mode) => {
      mode = next;
    },
  };
}

it.each([
  ["hang", 200, true],
  ["crash", 30_000, false],
] as const)(
  "sends a request only once if it may have been read, when the server does %s",
  async (mode, timeoutMs, isTimeout) => {
    const { send, requests, behave } = await startCalled();
    behave(mode);

    expect(await send(timeoutMs)).toMatchObject({ status: undefined, isTimeout });
    behave("answer");
    for (const _ of [1, 2, 3]) await send();

    expect(requests()).toBe(5);
  },
);

it("opens a new connection after the idle one was closed", async () => {
  const { server, send, requests } = await startCalled();
  server.closeIdleConnections();

  expect(await send()).toMatchObject({ status: 200 });
  expect(requests()).toBe(2);
});
