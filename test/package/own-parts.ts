/** What a user adds to a new app: three triggers, a flow, two functions, configuration, and their tests. */
export const ownParts: Readonly<Record<string, string>> = {
  "functions/own/triggers.ts": `
import type { TriggerTable } from "cometchat-functions/triggers";
import { missedCall } from "./missed-call.ts";
import { startWelcome } from "./start-welcome.ts";
import { tellOnCall } from "./tell-on-call.ts";
import { thanks } from "./thanks.ts";

export const ownTriggers: TriggerTable = {
  "missed-call": missedCall,
  "start-welcome": startWelcome,
  "tell-on-call": tellOnCall,
  thanks,
};
`,
  "functions/own/thanks.ts": `
import { onTrigger } from "cometchat-functions/triggers";

export const thanks = onTrigger("message_sent", { where: { text: { words: ["thanks"] } } }, async ({ event, effects }) => {
  const { sender = "", receiver = "" } = event.message;
  await effects.sendText("welcome", { receiver: sender, receiverType: "user", onBehalfOf: receiver, text: "You are welcome." });
});
`,
  "functions/own/tell-on-call.ts": `
import { onTrigger, settingsFrom } from "cometchat-functions/triggers";
import onCallFile from "../../config/on-call.yml";
import { onCallSchema } from "./on-call-schema.ts";

export const tellOnCall = onTrigger(
  "message_reaction_added",
  { settings: settingsFrom(onCallFile, onCallSchema) },
  async ({ effects, settings }) => {
    await effects.sendText("notice", { receiver: settings.uid, receiverType: "user", onBehalfOf: "bob", text: "A reaction." });
  },
);
`,
  "functions/own/on-call-schema.ts": `
import * as z from "zod/mini";

export const onCallSchema = z.object({ uid: z.string() });
`,
  "functions/own/config-schemas.ts": `
import type { ZodMiniType } from "zod/mini";
import { onCallSchema } from "./on-call-schema.ts";

export const ownConfigSchemas: Readonly<Record<string, ZodMiniType>> = { "on-call.yml": onCallSchema };
`,
  "config/on-call.yml": "uid: alice\n",
  "config/triggers.yml": "local: missed-call, start-welcome, tell-on-call, thanks, auto-reply, welcome\n",
  "functions/own/start-welcome.ts": `
import { onTrigger } from "cometchat-functions/triggers";
import { welcomeSeries } from "./welcome-series.ts";

export const startWelcome = onTrigger("group_member_joined", async ({ event, effects }) => {
  for (const { uid } of event.members) await effects.start(welcomeSeries, { uid });
});
`,
  "functions/own/welcome-series.ts": `
import { defineFlow } from "cometchat-functions/flows";
import { sendText } from "cometchat-functions/triggers";
import * as z from "zod/mini";

export const welcomeSeries = defineFlow("welcome-series", z.object({ uid: z.string() }), async (flow, { uid }) => {
  await flow.do("tip", sendText({ receiver: uid, receiverType: "user", onBehalfOf: "bob", text: "Say hello." }));
  await flow.wait({ days: 1 });
  await flow.do("second tip", sendText({ receiver: uid, receiverType: "user", onBehalfOf: "bob", text: "Ask us." }));
});
`,
  "functions/own/flows.ts": `
import type { FlowTable } from "cometchat-functions/flows";
import { welcomeSeries } from "./welcome-series.ts";

export const ownFlows: FlowTable = [welcomeSeries];
`,
  "functions/own/functions.yml": `
notify:
  handler: functions/own/notify.handler
  rights: [readSecrets]
  events:
    - httpApi: POST /notify/{appId}
nightlyReport:
  handler: functions/own/nightly-report.handler
  timeout: 60
  rights: [readSecrets]
  events:
    - schedule: cron(0 4 * * ? *)
webhook:
  memorySize: 1024
`,
  "functions/own/notify.ts": `
import { messages } from "cometchat-functions/chat";
import { basic, onRequest } from "cometchat-functions/functions";
import * as z from "zod/mini";

const body = z.object({ group: z.string(), text: z.string() });
const auth = basic({ username: "shopUsername", password: "shopPassword" });

export const handler = onRequest({ auth, body }, async ({ body, chat }) => {
  const { id } = await chat.using({ messages }).messages.send(
    { receiver: body.group, receiverType: "group", category: "message", type: "text", data: { text: body.text } },
    { onBehalfOf: "support" },
  );
  return { id };
});
`,
  "functions/own/nightly-report.ts": `
import { onSchedule } from "cometchat-functions/functions";

export const handler = onSchedule(async ({ log }) => {
  log.info("reported", {});
});
`,
  "test/own-parts.test.ts": `
import { derivedEvents, events, runFlow, runTrigger } from "cometchat-functions/testing";
import { expect, it } from "vitest";
import { ownConfigSchemas } from "../functions/own/config-schemas.ts";
import { tellOnCall } from "../functions/own/tell-on-call.ts";
import { thanks } from "../functions/own/thanks.ts";
import { welcomeSeries } from "../functions/own/welcome-series.ts";

it("answers thanks", async () => {
  const { sent } = await runTrigger(thanks, events.messageSent({ sender: "ann", receiver: "bela", text: "thanks" }));

  expect(sent).toMatchObject([{ from: "bela", to: "ann", text: "You are welcome." }]);
});

it("notifies the user in config/on-call.yml", async () => {
  const { sent } = await runTrigger(tellOnCall, events.messageReactionAdded());

  expect(sent).toMatchObject([{ from: "bob", to: "alice" }]);
});

it("welcomes over days", async () => {
  const { sent } = await runFlow(welcomeSeries, { uid: "alice" });

  expect(sent).toHaveLength(2);
});

it("has its own configuration", () => {
  expect(Object.keys(ownConfigSchemas)).toEqual(["on-call.yml"]);
  expect(derivedEvents).toBeDefined();
});
`,
  "test/own-functions.test.ts": `
import { expect, it } from "vitest";
import { handler as report } from "../functions/own/nightly-report.ts";
import { handler as notify } from "../functions/own/notify.ts";

it("exports both functions", () => {
  expect([notify, report].map((one) => typeof one)).toEqual(["function", "function"]);
});
`,
};
