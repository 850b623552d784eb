import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startWorld, type World } from "../../local/stack/world.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { addLegacyWebhook, chat, own, sendText, usePlatform } from "../platform/helpers.ts";

const threat = "I will kill you";

describe("the platform that asks the deployed functions before a message goes out", () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
    await world.cloud.pauseConsumers(); // nobody answers: only the asking is looked at
    // A machine may take longer to start a process than the platform waits: the functions run before they are asked.
    beMorePatient();
    const answered = (path: string, question: object, part: string) =>
      vi.waitFor(async () => {
        const answer = await fetch(signedRequest({ url: addressOf(path), ...credentials() }, question));
        expect(await answer.text()).toContain(part);
      });
    const message = messageBody({ text: threat, sender: "alice" });
    await answered("/moderation", { contextMessages: [{ alice: message }] }, "true");
    await answered("/before-message", events.beforeMessage({ text: threat }), "do_not_propagate");
  });
  afterAll(() => world.close());

  const beMorePatient = () =>
    Object.assign(world.platform.switches, {
      beforeMessageTimeoutMs: 60_000,
      customModerationTimeoutMs: 60_000,
    });
  const addressOf = (path: string) => `${world.cloud.httpUrl}${path}/${world.app.appId}`;
  const credentials = () => ({ username: world.webhook.username, password: world.webhook.password });
  const send = (text: string) =>
    chat("POST /messages", "alice", { receiver: "bob", receiverType: "user", type: "text", data: { text } });
  const storedTexts = async () => {
    const { body } = await chat("GET /messages?limit=100");
    return body.data.map(({ data }: { data: { text: string } }) => data.text);
  };

  it("blocks by the custom moderation API what config/moderation.yml matches, and lets the rest pass", async () => {
    usePlatform(world.platform);
    await own(`PUT /apps/${world.app.appId}/moderation-services/check`, {
      url: addressOf("/moderation"),
      ...credentials(),
    });
    await chat("POST /moderation/rules", {
      id: "ask-us",
      name: "Ask us",
      enabled: true,
      conditions: [
        {
          entity: "message",
          operand: "text",
          category: "custom-api",
          operator: "contains",
          value: ["check_greaterThan_80"],
        },
      ],
      action: ["blockMessage"],
    });

    const harmless = await send("See you tomorrow");
    const harmful = await send(threat);

    expect(harmless.body.data.data.moderation).toMatchObject({ status: "approved" });
    expect(harmful.body.data.data.moderation).toMatchObject({
      status: "disapproved",
      rule: { id: "ask-us" },
    });
  });

  it("drops by before_message what config/moderation.yml matches, and stores nothing into what passes", async () => {
    await world.reset();
    usePlatform(world.platform);
    beMorePatient();
    await addLegacyWebhook(addressOf("/before-message"), ["before_message"], {
      useBasicAuth: true,
      enabled: true,
      ...credentials(),
    });

    const dropped = await send(threat);
    const passed = await sendText("See you tomorrow");

    expect(dropped.status).toBe(403);
    expect(passed.data).not.toHaveProperty("metadata");
    expect(await storedTexts()).toEqual(["See you tomorrow"]);
  });
});
