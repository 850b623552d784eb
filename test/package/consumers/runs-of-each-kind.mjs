// What an app's test runs, in any context that loads this.
import assert from "node:assert/strict";
import { defineFlow } from "cometchat-functions/flows";
import { effectsOf, onRequest, onSchedule } from "cometchat-functions/functions";
import {
  events,
  runAtEveryCrash,
  runFlow,
  runRequest,
  runSchedule,
  runTrigger,
} from "cometchat-functions/testing";
import { onTrigger, sendText } from "cometchat-functions/triggers";
import * as z from "zod/mini";

const text = { receiver: "bob", receiverType: "user", onBehalfOf: "alice", text: "late" };
const later = defineFlow("later", z.object({}), async (flow) => {
  await flow.waitUntil(new Date((await flow.now()).getTime() + 5_000));
  await flow.do("send", sendText(text));
});
const starts = onTrigger("message_sent", async ({ effects }) => {
  await effects.start(later, {});
});
const sent = events.messageSent({ sender: "ann", text: "x" });
const nightly = onSchedule(async (context) => {
  await effectsOf(context, "night").sendText("report", text);
});
const answers = onRequest({ auth: "none" }, async () => ({ at: new Date(0) }));

const runs = [
  await runFlow(later, {}, {}),
  await runTrigger(starts, sent, { flows: [later] }),
  await runSchedule(nightly, {}),
  ...(await runAtEveryCrash(starts, sent, { flows: [later] })),
];
export const texts = runs.map((run) => run.sent.map((one) => one.text).join());
assert.deepEqual(
  texts,
  runs.map(() => "late"),
);
const { status } = await runRequest(answers, { path: "/x/app-1" }, { route: "GET /x/{appId}" });
assert.equal(status, 200);
