import * as z from "zod/mini";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../../lib/endpoints/own/on-schedule.ts";
import { defineFlow } from "../../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../../lib/handle/on-trigger.ts";
import { derivedEvents } from "../../../../local/testing/events/derived-events.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../../local/testing/run-at-every-crash.ts";
import { calling, type RightCall, type RightCalls } from "../right-call.ts";

const trigger = onTrigger("message_sent", async () => {});
const flow = defineFlow("remind", z.object({ uid: z.string() }), async () => {});
const answering = onRequest({ auth: "none" }, () => ({}));
const scheduled = onSchedule(() => ({}));
const story = {
  crash: [],
  clock: new Date(1_760_000_000_000),
  later: [{ after: "5min", event: events.messageSent({ id: "1002" }) }],
  flows: [flow],
  mostTurns: 100,
  shadow: false,
  secrets: { token: "x" },
  app: { users: [] },
  answer: () => undefined,
  outside: () => Response.json({}),
  allowedHosts: ["a.example"],
};
const storyWhole = ["0", "1", "2.later.0.event", "2.flows.0"];

const functionRun = {
  appIds: ["app-1"],
  secrets: { token: "x" },
  app: { users: [] },
  answer: () => undefined,
  clock: new Date(1_760_000_000_000),
  timeoutMs: 6_000,
  deliveries: 1,
  crash: [],
};
/** A builder's fields are all optional; a test may send anything in `data`. */
const built = (build: (...args: never[]) => unknown): RightCall => ({
  args: [{}, { appId: "app-1", region: "eu", webhook: "webhook-1", data: { more: 1 } }],
  call: calling(build),
  free: ["1.data"],
});
const target = {
  url: "https://a.example/webhooks/app-1",
  username: "platform",
  password: "aPassword1",
  webhookSecret: "key",
};
export const testingCalls: RightCalls = {
  runTrigger: {
    args: [trigger, events.messageSent(), { ...story, deliveries: 1, attempts: 1, ageMs: 0, config: {} }],
    whole: storyWhole,
    free: ["2.config", "2.secrets"],
  },
  runFlow: {
    args: [flow, { uid: "alice" }, { ...story, appId: "app-1" }],
    whole: storyWhole,
    free: ["1", "2.secrets"],
  },
  runAtEveryCrash: {
    args: [trigger, events.messageSent(), { deliveries: 1 }],
    call: calling(runAtEveryCrash),
    whole: ["0", "1"],
  },
  runRequest: {
    args: [
      answering,
      {
        method: "POST",
        path: "/notify/app-1",
        headers: { accept: "*/*" },
        query: { page: "1" },
        body: { text: "hi" },
      },
      { ...functionRun, route: "POST /notify/{appId}" },
    ],
    whole: ["0", "1.body"],
    free: ["1.headers", "1.query", "2.secrets"],
  },
  runSchedule: {
    args: [scheduled, { ...functionRun, input: {} }],
    whole: ["0"],
    free: ["1.secrets", "1.input"],
  },
  signedRequest: {
    args: [target, events.messageSent()],
    whole: ["1"],
  },
  signedLambdaEvent: {
    args: [target, events.messageSent(), { route: "POST /webhooks/{appId}", at: new Date(0) }],
    whole: ["1"],
  },
  configFiles: { args: [{ stage: "local" }] },
  ...Object.fromEntries(
    Object.entries(events)
      .filter(([name]) => name !== "emailExtension")
      .map(([name, build]) => [`events ${name}`, built(build)]),
  ),
  "events emailExtension": {
    args: [{ to: "a@example.org", messages: [{ text: "hi" }] }],
    call: calling(events.emailExtension),
  },
  "derivedEvents callMissed": {
    args: [{ callId: "1" }],
    call: calling(derivedEvents.callMissed),
  },
  "derivedEvents callSummary": {
    args: [{ sessionId: "1" }],
    call: calling(derivedEvents.callSummary),
  },
};
