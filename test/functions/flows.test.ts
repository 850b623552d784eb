import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { events } from "../helpers/events/events.ts";
import { signedRequest } from "../helpers/signed-request.ts";

const root = join(import.meta.dirname, "../..");

/** A trigger that starts a flow, and the flow: it waits for whatever its writer says next. */
const ownFiles: Readonly<Record<string, string>> = {
  "functions/own/listen.ts": `
    import * as z from "zod/mini";
    import { defineFlow } from "../../lib/flows/define-flow.ts";
    export const listen = defineFlow("listen", { input: z.object({ uid: z.string() }), waitsFor: ["message_sent"] }, async (flow, { uid }) => {
      const next = await flow.waitFor("message_sent", { where: { sender: uid }, within: { minutes: 10 } });
      const [text, day] = await flow.all([
        async () => next?.message.data.text ?? "nothing",
        async (way) => (await way.now()).getUTCDay() >= 0,
      ]);
      return { text, day };
    });`,
  "functions/own/flows.ts": `
    import { listen } from "./listen.ts";
    export const ownFlows = [listen];`,
  "functions/own/triggers.ts": `
    import { onTrigger } from "../../lib/triggers/on-trigger.ts";
    import { listen } from "./listen.ts";
    export const ownTriggers = {
      listen: onTrigger("message_sent", { where: { text: { words: ["listen"] } } }, async ({ event, effects }) => {
        await effects.start(listen, { uid: event.message.sender ?? "" });
      }),
    };`,
};

describe("a flow, through the deployed bundles", () => {
  let folder: string;
  let cloud: Cloud;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "flows-"));
    const settings = ["serverless.yml", "infrastructure", "package.json", "config"];
    for (const name of [...settings, "functions", "lib", "local", "scripts"]) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const [name, text] of Object.entries(ownFiles)) writeFileSync(join(folder, name), text);
    cloud = await startCloud({
      serviceFolder: folder,
      environment: { CHAT_APP_ID: "local-app", ENABLED_TRIGGERS: "listen" },
    });
    await cloud.putSecret("AppSecret", {
      appId: "local-app",
      region: "us",
      apiKey: "a-key",
      webhookUsername: "platform",
      webhookPassword: "a-password",
    });
  });
  afterAll(async () => {
    await cloud?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function say(id: string, text: string): Promise<void> {
    const url = `${cloud.httpUrl}/webhooks/local-app`;
    const body = events.messageSent({ id, sender: "ann", text });
    const response = await fetch(signedRequest({ url, username: "platform", password: "a-password" }, body));
    expect(response.status).toBe(200);
  }

  it("is started by a trigger, waits, is woken by an event and comes to its end", async () => {
    await say("1", "please listen");
    const name = "cometchat-functions-local-flows";
    const started = () => cloud.durable.list(name).DurableExecutions;
    await expect.poll(started, { timeout: 20_000 }).toHaveLength(1);

    await say("2", "the price is right");
    const [{ DurableExecutionArn: arn = "" } = {}] = started();
    const ended = await cloud.durable.ended(arn);

    expect(ended).toMatchObject({ Status: "SUCCEEDED", Result: '{"text":"the price is right","day":true}' });
  });
});
