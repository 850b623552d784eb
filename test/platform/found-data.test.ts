import { expect, it } from "vitest";
import { countFound } from "../../local/stack/found-data.ts";
import { app, call, sendText, startPlatform } from "./helpers.ts";

it("countFound counts the messages of every app", async () => {
  const other = { ...app, appId: "other", name: "Other" };
  const seed = { management: { key: "seed-key", secret: "seed-secret" }, apps: [app, other] };
  const platform = await startPlatform({ seed });
  const headers = { apikey: app.fullAccessKey, onBehalfOf: "alice" };
  const body = { receiver: "bob", receiverType: "user", type: "text", data: { text: "hello" } };
  await sendText("hello");
  await call(platform.appUrl("other"), "POST /messages", { headers, body });

  const empty = { visible: 0, inFlight: 0, delayed: 0 };
  const found = countFound({ platform, cloud: { resources: {}, queueDepth: () => empty } });

  expect(found).toEqual({ messages: 2, queued: {} });
});
