import * as z from "zod/mini";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../../lib/endpoints/own/on-schedule.ts";
import { defineFlow } from "../../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../../lib/handle/on-trigger.ts";
import { derivedEvents } from "../../../../local/testing/events/derived-events.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../../local/testing/run-at-every-crash.ts";
import { anyText, anything, maybeText, optional, type RightCall, type RightCalls } from "../right-call.ts";

const trigger = onTrigger("message_sent", async () => {});
const flow = defineFlow("remind", z.object({ uid: z.string() }), async () => {});
const answering = onRequest({ auth: "none" }, () => ({}));
const scheduled = onSchedule(() => ({}));
const noOptions = ["undefined", "object", "bare", "instance", "date", "map", "promise"];
const fn = ["undefined", "function"];
const jsonObjects = ["object", "bare", "list", "list of odd", "date"];
const jsonInput = [
  ...["undefined", "null", "zero", "negative", "huge", "nan", "infinity", "true", ...anyText],
  ...jsonObjects,
];
const story = () => ({
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
});
const storyTakes = Object.fromEntries(
  Object.entries({
    crash: ["undefined", "list"],
    clock: optional,
    later: ["undefined", "list"],
    "later.0.event": [],
    flows: ["undefined", "list"],
    mostTurns: ["undefined", "huge"],
    shadow: ["undefined", "true"],
    secrets: ["undefined", "object", "bare"],
    "secrets.token": anyText,
    app: ["undefined", "object", "bare", "date", "map", "promise"],
    "app.users": ["undefined", "list"],
    answer: fn,
    outside: fn,
    allowedHosts: ["undefined", "list"],
    "allowedHosts.0": anyText,
  }).map(([name, right]) => [`2.${name}`, right]),
);
const storyWhole = ["0", "1", "2.later.0.event", "2.flows.0"];

const functionRun = () => ({
  appIds: ["app-1"],
  secrets: { token: "x" },
  app: { users: [] },
  answer: () => undefined,
  clock: new Date(1_760_000_000_000),
  timeoutMs: 6_000,
});
const functionRunTakes = (at: number) =>
  Object.fromEntries(
    Object.entries({
      appIds: ["undefined", "list"],
      "appIds.0": ["text"],
      secrets: ["undefined", "object", "bare"],
      "secrets.token": anyText,
      app: storyTakes["2.app"] ?? [],
      "app.users": ["undefined", "list"],
      answer: fn,
      clock: optional,
      timeoutMs: optional,
    }).map(([name, right]) => [`${at}.${name}`, right]),
  );

/** A builder's facts are optional, each; a test may send anything in `data`. */
const built = (build: (...args: never[]) => unknown): RightCall => ({
  args: () => [{}, { appId: "app-1", region: "eu", webhook: "webhook-1", data: { more: 1 } }],
  call: (...args) => Reflect.apply(build, undefined, args),
  free: ["1.data"],
  takes: {
    ...{ 0: noOptions, 1: noOptions, "1.appId": maybeText, "1.region": maybeText, "1.webhook": maybeText },
    ...{ "1.data": ["undefined", "object", "bare", "circular"], "1.data.more": anything },
  },
});
const target = () => ({
  ...{ url: "https://a.example/webhooks/app-1", username: "platform", password: "aPassword1" },
  webhookSecret: "key",
});
const targetTakes = {
  ...{ "0.username": anyText, "0.password": anyText, "0.webhookSecret": maybeText },
};

export const testingCalls: RightCalls = {
  runTrigger: {
    args: () => [
      trigger,
      events.messageSent(),
      { ...story(), deliveries: 1, attempts: 1, ageMs: 0, config: {} },
    ],
    whole: storyWhole,
    free: ["2.config", "2.secrets"],
    takes: {
      ...storyTakes,
      ...{ 2: noOptions, "2.deliveries": optional, "2.attempts": ["undefined", "huge", "infinity"] },
      ...{ "2.ageMs": ["undefined", "zero"], "2.config": anything },
    },
  },
  runFlow: {
    args: () => [flow, { uid: "alice" }, { ...story(), appId: "app-1" }],
    whole: storyWhole,
    free: ["1", "2.secrets"],
    takes: { ...storyTakes, 2: noOptions, "2.appId": maybeText },
  },
  runAtEveryCrash: {
    args: () => [trigger, events.messageSent(), { deliveries: 1 }],
    call: (...args) => Reflect.apply(runAtEveryCrash, undefined, args),
    whole: ["0", "1"],
    takes: { 2: noOptions, "2.deliveries": optional },
  },
  runRequest: {
    args: () => [
      answering,
      {
        ...{ method: "POST", path: "/notify/app-1", headers: { accept: "*/*" }, query: { page: "1" } },
        body: { text: "hi" },
      },
      { ...functionRun(), route: "POST /notify/{appId}" },
    ],
    whole: ["0", "1.body"],
    free: ["1.headers", "1.query", "2.secrets"],
    takes: {
      ...functionRunTakes(2),
      ...{ 2: noOptions, "1.method": optional, "2.route": optional },
      ...{ "1.headers": ["undefined", "object", "bare"], "1.query": ["undefined", "object", "bare"] },
      ...{ "1.headers.accept": anyText, "1.query.page": anyText },
      "1.body": ["undefined", ...anyText, ...jsonObjects],
    },
  },
  runSchedule: {
    args: () => [scheduled, { ...functionRun(), input: {} }],
    whole: ["0"],
    free: ["1.secrets", "1.input"],
    takes: { ...functionRunTakes(1), 1: noOptions, "1.input": jsonInput },
  },
  signedRequest: {
    args: () => [target(), events.messageSent()],
    whole: ["1"],
    takes: {
      ...targetTakes,
      1: [...anyText, ...jsonObjects],
    },
  },
  signedLambdaEvent: {
    args: () => [target(), events.messageSent(), { route: "POST /webhooks/{appId}", at: new Date(0) }],
    whole: ["1"],
    takes: {
      ...{
        ...targetTakes,
        1: [...anyText, ...jsonObjects],
      },
      // What the path is no route of comes by $default.
      ...{ 2: noOptions, "2.route": maybeText, "2.at": optional },
    },
  },
  configFiles: { args: () => [{ stage: "local" }], takes: { 0: noOptions, "0.stage": maybeText } },
  ...Object.fromEntries(
    Object.entries(events)
      .filter(([name]) => name !== "emailExtension")
      .map(([name, build]) => [`events ${name}`, built(build)]),
  ),
  "events emailExtension": {
    args: () => [{ to: "a@example.org", messages: [{ text: "hi" }] }],
    call: (...args) => Reflect.apply(events.emailExtension, undefined, args),
    takes: {
      0: noOptions,
      "0.to": maybeText,
      "0.messages": ["undefined", "list"],
      "0.messages.0": ["object", "bare", "date", "map", "instance", "promise"],
      "0.messages.0.text": maybeText,
    },
  },
  "derivedEvents callMissed": {
    args: () => [{ callId: "1" }],
    call: (...args) => Reflect.apply(derivedEvents.callMissed, undefined, args),
    takes: { 0: noOptions, "0.callId": maybeText },
  },
  "derivedEvents callSummary": {
    args: () => [{ sessionId: "1" }],
    call: (...args) => Reflect.apply(derivedEvents.callSummary, undefined, args),
    takes: { 0: noOptions, "0.sessionId": maybeText },
  },
};
