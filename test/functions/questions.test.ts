import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorld, type World } from "../../local/stack/world.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { type SignedTarget, signedRequest } from "../../local/testing/signed-request.ts";
import { loseSecret } from "../helpers/lose-secret.ts";

/** A question of the custom moderation API, whose last key may differ from the sender, as in the published sample. */
const moderationCall = (text: string, before: readonly [uid: string, text: string][] = []) => ({
  contextMessages: [
    ...before.map(([uid, said]) => ({ [uid]: said })),
    { bela: messageBody({ text, sender: "ann" }) },
  ],
});

describe("the questions that the platform waits for, the deployed bundles", () => {
  let world: World;
  let target: (path: string) => SignedTarget;

  beforeAll(async () => {
    world = await startWorld();
    const { username, password } = world.webhook;
    target = (path) => ({ url: `${world.cloud.httpUrl}/${path}/local-app`, username, password });
  });
  afterAll(() => world.close());

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
      await loseSecret(world);

      const answer = await ask(path, body);

      expect(answer.status).toBe(200);
    },
  );

  it.each(["before-message", "moderation"])(
    "%s gives the safe answer to what it cannot read",
    async (path) => {
      const safe = path === "moderation" ? '{"isMatchingCondition":false,"confidence":0}' : "{}";

      for (const body of [
        "",
        "no JSON",
        "[]",
        "null",
        '{"trigger":"before_message"}',
        '{"contextMessages":[]}',
      ]) {
        expect(await ask(path, body)).toEqual({ status: 200, body: safe });
      }
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

  it("finds what a pattern describes, however long the message", async () => {
    const text = `${"so ".repeat(9_000)}please buy me a gift card${" ok".repeat(9_000)}`;

    const judged = async () => JSON.parse((await ask("moderation", moderationCall(text))).body);

    await expect.poll(judged).toMatchObject({
      isMatchingCondition: true,
      confidence: 0.7,
    });
  });
});
