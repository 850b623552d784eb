import http from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { watchGlobals } from "../../helpers/watch-globals.ts";

// The tests load the entry points, to notice what loading replaces.
const changedGlobals = watchGlobals();

it("leaves the process's globals unchanged: createPlatform", async () => {
  const { createPlatform } = await import("cometchat-functions/platform");

  const platform = await createPlatform();
  onTestFinished(() => platform.close());
  await fetch(`${platform.url}/_platform/health`);

  expect(changedGlobals()).toEqual([]);
  expect(() => new Response("a", { status: 204 })).toThrow(TypeError);
  expect(() => new Response("a", { status: 700 })).toThrow(RangeError);
});

it("leaves the process's globals unchanged: runTrigger", async () => {
  const { events, runTrigger } = await import("cometchat-functions/testing");
  const { onTrigger } = await import("cometchat-functions/triggers");
  const greet = onTrigger("message_sent", async ({ event, effects }) => {
    await effects.sendText("greet", {
      receiver: event.message.sender,
      receiverType: "user",
      onBehalfOf: "bob",
      text: "Hello",
    });
  });

  const { isHandled } = await runTrigger(greet, events.messageSent({ text: "hi" }));

  expect(isHandled).toBe(true);
  expect(changedGlobals()).toEqual([]);
});

it("leaves the process's globals unchanged: toNodeHandler", async () => {
  const { toNodeHandler } = await import("cometchat-functions/webhook");
  const server = http.createServer(toNodeHandler(async () => new Response(null, { status: 204 })));
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");

  const { status } = await fetch(`http://127.0.0.1:${address.port}/`, { method: "POST", body: "{}" });

  expect(status).toBe(204);
  expect(changedGlobals()).toEqual([]);
});
