import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { type SignedTarget, signedRequest } from "../../local/testing/signed-request.ts";
import { loseSecret } from "../helpers/lose-secret.ts";
import { addLegacyWebhook, chat, own, sendText, usePlatform } from "../platform/helpers.ts";

/** A question of the custom moderation API. */
const moderationCall = (text: string, before: readonly [uid: string, text: string][] = []) => ({
  contextMessages: [
    ...before.map(([uid, said]) => ({ [uid]: said })),
    { ann: messageBody({ text, sender: "ann" }) },
  ],
});

let world: LocalStack;

beforeAll(async () => {
  world = await startLocalStack();
});
afterAll(() => world.close());

const target = (path: string): SignedTarget => {
  const { username, password } = world.webhook;
  return { url: `${world.cloud.httpUrl}/${path}/local-app`, username, password };
};

describe("the questions that the platform waits for, the deployed bundles", () => {
  async function ask(path: string, body: object | string, more: Partial<SignedTarget> = {}) {
    const response = await fetch(signedRequest({ ...target(path), ...more }, body));
    return { status: response.status, body: await response.text() };
  }

  it.each([
    ["delivers", "Good morning", "{}"],
    ["drops", "I will kill you", '{"action":"do_not_propagate"}'],
    ["notes", "please buy me a gift card", '{"moderation":{"list":"payment-scam","confidence":0.7}}'],
  ])("before-message %s as config/moderation.yml says: %s", async (_case, text, body) => {
    // The safe answer comes first where a process takes longer to start than an answer may.
    await expect
      .poll(() => ask("before-message", events.beforeMessage({ text })))
      .toEqual({ status: 200, body });
  });

  it.each([
    ["a clean message", moderationCall("ok"), { isMatchingCondition: false, confidence: 0 }],
    [
      "a threat",
      moderationCall("I will kill you"),
      { isMatchingCondition: true, confidence: 0.9, reason: "Threatens somebody." },
    ],
    [
      "a threat in pieces",
      moderationCall("kill you", [
        ["bela", "hi"],
        ["ann", "I will"],
      ]),
      { isMatchingCondition: true, confidence: 0.9 },
    ],
    [
      "a message without content",
      { contextMessages: [{ ann: { id: "1" } }] },
      { isMatchingCondition: false },
    ],
  ])("moderation judges %s", async (_case, call, expected) => {
    const judged = async () => JSON.parse((await ask("moderation", call)).body);

    await expect.poll(judged).toMatchObject(expected);
  });

  it.each(["before-message", "moderation"])(
    "%s answers warm from what it knows, without a call of its own",
    async (path) => {
      const body = path === "moderation" ? moderationCall("hi") : events.beforeMessage({ text: "hi" });
      await ask(path, body);
      const { username, password } = await loseSecret(world);

      const answer = await ask(path, body, { username, password });

      expect(answer.status).toBe(200);
    },
  );

  it.each(["before-message", "moderation"])(
    "%s refuses wrong credentials, however large the body",
    async (path) => {
      expect(await ask(path, "{}", { password: "wrong" })).toMatchObject({ status: 401 });
      expect(await ask(path, "[".repeat(5_000_000), { password: "wrong" })).toMatchObject({ status: 401 });
    },
  );

  it.each(["before-message", "moderation"])(
    "%s gives the safe answer to 5 MB, and is there for the next question",
    async (path) => {
      const safe = path === "moderation" ? '{"isMatchingCondition":false,"confidence":0}' : "{}";

      expect(await ask(path, "[".repeat(5_000_000))).toEqual({ status: 200, body: safe });
      expect(await ask(path, events.beforeMessage({ text: "hi" }))).toMatchObject({ status: 200 });
    },
  );
});

const threat = "I will kill you";

describe("the platform that asks the deployed functions before a message goes out", () => {
  beforeAll(async () => {
    await world.cloud.pauseConsumers(); // no consumer answers: only the question is looked at
    // A machine may take longer to start a process than the platform waits: the functions run before they are asked.
    beMorePatient();
    const answered = (path: string, question: object, part: string) =>
      vi.waitFor(async () => {
        const answer = await fetch(signedRequest(target(path), question));
        expect(await answer.text()).toContain(part);
      });
    const message = messageBody({ text: threat, sender: "alice" });
    await answered("moderation", { contextMessages: [{ alice: message }] }, "true");
    await answered("before-message", events.beforeMessage({ text: threat }), "do_not_propagate");
  });

  const beMorePatient = () =>
    Object.assign(world.platform.switches, {
      beforeMessageTimeoutMs: 60_000,
      customModerationTimeoutMs: 60_000,
    });
  const send = (text: string) =>
    chat("POST /messages", "alice", { receiver: "bob", receiverType: "user", type: "text", data: { text } });
  const storedTexts = async () => {
    const { body } = await chat("GET /messages?limit=100");
    return body.data.map(({ data }: { data: { text: string } }) => data.text);
  };

  it("blocks by the custom moderation API what config/moderation.yml matches, and lets the rest pass", async () => {
    usePlatform(world.platform);
    await own(`PUT /apps/${world.app.appId}/moderation-services/check`, target("moderation"));
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
    const { url, username, password } = target("before-message");
    await addLegacyWebhook(url, ["before_message"], {
      useBasicAuth: true,
      enabled: true,
      username,
      password,
    });

    const dropped = await send(threat);
    const passed = await sendText("See you tomorrow");

    expect(dropped.status).toBe(403);
    expect(passed.data).not.toHaveProperty("metadata");
    expect(await storedTexts()).toEqual(["See you tomorrow"]);
  });
});
