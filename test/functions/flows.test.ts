import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { events } from "../../local/testing/events/events.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

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
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
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
    folder = copyProject(ownFiles);
    cloud = await startCloud({
      serviceFolder: folder,
      environment: { ENABLED_TRIGGERS: "listen" },
    });
    await cloud.putAppSecret({
      appId: "local-app",
      region: "us",
      apiKey: "a-key",
      webhookUsername: "platform",
      webhookPassword: "a-password",
    });
  });
  afterAll(async () => {
    await cloud?.close();
    removeCopy(folder);
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
    await expect.poll(started).toHaveLength(1);

    await say("2", "the price is right");
    const [{ DurableExecutionArn: arn = "" } = {}] = started();
    const ended = { Status: "SUCCEEDED", Result: '{"text":"the price is right","day":true}' };
    await expect.poll(() => cloud.durable.get(arn)).toMatchObject(ended);
  });
});
