import { describe, expect, it, onTestFinished, vi } from "vitest";
import { autoReply, escalate, forward, welcome } from "../../../functions/triggers/index.ts";
import { createEscalate } from "../../../lib/behaviours/escalation/create-escalate.ts";
import { escalationRulesSchema } from "../../../lib/behaviours/escalation/escalation-rules.ts";
import { createForward } from "../../../lib/behaviours/forwarding/create-forward.ts";
import { forwardRulesSchema } from "../../../lib/behaviours/forwarding/forward-rules.ts";
import { createAutoReply } from "../../../lib/behaviours/replies/create-auto-reply.ts";
import { replyRulesSchema } from "../../../lib/behaviours/replies/reply-rules.ts";
import { sameForEveryApp, settingsFrom } from "../../../lib/chat/settings-from.ts";
import type { Trigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import type { RunTriggerOptions } from "../../../local/testing/run-options.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { createTestGuard } from "../../helpers/loop-guard.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

describe("autoReply", () => {
  const asked = { text: "What is the price?", sender: "ann", receiver: "support" };
  const changed = (change: object, data: object = {}) => {
    const body = events.messageSent(asked);
    const { message } = body.data as { message: { data: object } };
    Object.assign(message, change, { data: { ...message.data, ...data } });
    return body;
  };

  it("answers despite marks that any user can set", async () => {
    const body = changed({ tags: ["automatic", "effect-1"] }, { metadata: { automatic: true } });

    expect((await runTrigger(autoReply, body)).sent).toHaveLength(1);
  });

  it.each<[string, object, string[], RunTriggerOptions?]>([
    ["an action", changed({ category: "action" }), ["category"]],
    ["a blocked message", changed({}, { moderation: { status: "disapproved" } }), ["moderation"]],
    ["the platform's own user", changed({ sender: "app_system" }), ["own-message"]],
    ["a message of more than an hour ago", changed({}), ["too-old"], { ageMs: 3_600_001 }],
    ["a message that no rule covers", changed({ receiver: "bela", category: "call" }), []],
  ])("passes over %s, and reports the reason, if any", async (_case, body, reasons, options) => {
    const { sent, passedOver } = await runTrigger(autoReply, body, options);

    expect([sent, passedOver]).toEqual([[], reasons]);
  });
  it.each(["approved", "pending"])(
    "answers a message with the status %s: a blocked one is not reported as sent",
    async (status) => {
      expect((await runTrigger(autoReply, changed({}, { moderation: { status } }))).sent).toHaveLength(1);
    },
  );
  it("answers a message of up to an hour ago", async () => {
    expect((await runTrigger(autoReply, changed({}), { ageMs: 3_599_000 })).sent).toHaveLength(1);
  });
  it("answers by rules whose ids are configured in capitals, and ignores such senders", async () => {
    const rules = {
      ignoreSenders: ["Reporting-Bot"],
      rules: [{ group: "Helpdesk", as: "Support", text: "Hello." }],
    };
    const capitals = createAutoReply(sameForEveryApp(replyRulesSchema.parse(rules)));
    const sentBy = async (sender: string) =>
      (
        await runTrigger(capitals, events.messageSent({ sender, guid: "helpdesk" }), {
          app: { groups: [{ guid: "helpdesk", name: "Helpdesk", members: { support: "participant" } }] },
        })
      ).sent;

    expect(await sentBy("ann")).toMatchObject([{ from: "support", to: "helpdesk" }]);
    expect([await sentBy("reporting-bot"), await sentBy("support")]).toEqual([[], []]);
  });

  it("answers each app by its own rules", async () => {
    const rules = { rules: [{ receiver: "support", text: "Hello." }] };
    const own = { rules: [{ receiver: "support", text: "Hallo." }] };
    const answerWhere = async (appId: string) => {
      const settings = settingsFrom({ default: rules, apps: { [appId]: own } }, replyRulesSchema);
      return (await runTrigger(createAutoReply(settings), events.messageSent(asked))).sent[0]?.text;
    };

    expect([await answerWhere("app-1"), await answerWhere("app-2")]).toEqual(["Hallo.", "Hello."]);
  });
});

describe("welcome", () => {
  it.each([
    ["joined", events.groupMemberJoined({ guid: "lobby", uids: ["ann"] })],
    ["was added", events.groupMemberAdded({ guid: "lobby", uids: ["ann"] })],
  ])("greets a member that %s in the group, on behalf of the configured user", async (_case, body) => {
    const { sent } = await runTrigger(welcome, body, { deliveries: 2 });

    expect(sent).toMatchObject([{ from: "support", to: "lobby", text: "Welcome to the lobby, Ann!" }]);
  });

  const joined = events.groupMemberJoined({ guid: "lobby", uids: ["ann"] });

  it.each<[string, object, RunTriggerOptions, string[]]>([
    ["a member of another group", events.groupMemberJoined({ guid: "chess-club", uids: ["ann"] }), {}, []],
    ["the greeting user", events.groupMemberAdded({ guid: "lobby", uids: ["support"] }), {}, []],
    ["a member that left", events.groupMemberLeft({ guid: "lobby", uids: ["ann"] }), {}, []],
    ["a member that joined more than an hour ago", joined, { ageMs: 3_600_001 }, ["too-old"]],
  ])("does not greet %s", async (_case, body, options, reasons) => {
    const { sent, passedOver } = await runTrigger(welcome, body, options);

    expect([sent, passedOver]).toEqual([[], reasons]);
  });
});

describe("escalate", () => {
  const rules = { enabled: true, group: "moderators", as: "guard", on: ["blocked", "failed"] as const };
  const enabled = createEscalate(sameForEveryApp({ ...rules, on: [...rules.on] }));
  const app = {
    users: [{ uid: "guard", name: "Guard" }],
    groups: [{ guid: "moderators", name: "Moderators", owner: "guard", members: { guard: "admin" } }],
  } as const;
  const run = (trigger: Trigger, body: object, options: RunTriggerOptions = {}) =>
    runTrigger(trigger, body, { app, ...options });

  it("reports a blocked message to moderators by rule and IDs, without its text", async () => {
    const body = events.moderationEngineBlocked({ text: "my-private-words", guid: "chess-club" });

    const { sent, log } = await run(enabled, body, { deliveries: 2 });

    expect(sent).toMatchObject([
      {
        from: "guard",
        to: "moderators",
        text: "The moderation blocked text 1001 from ann in the group chess-club. Rule: “No spam” (no-spam).",
        metadata: {
          automatic: true,
          moderation: { outcome: "blocked", messageId: "1001", ruleIds: ["no-spam"] },
        },
      },
    ]);
    expect(JSON.stringify([sent, log])).not.toContain("my-private-words");
  });

  it.each(["@all https://spam.example", "x".repeat(12_000)])(
    "quotes no type that a sender may have written as a message",
    async (type) => {
      const body = events.moderationEngineBlocked({ text: "hello" });
      const invented = JSON.parse(
        JSON.stringify(body).replaceAll('"type":"text"', JSON.stringify({ type }).slice(1, -1)),
      );

      const { sent } = await run(enabled, invented);

      expect(sent.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^The moderation blocked message 1001 from ann/),
      ]);
    },
  );

  it("reports to moderators what could not be judged, why, and what happened to it", async () => {
    const { sent } = await run(enabled, events.moderationEngineFailed({ failure: "timeout" }));

    expect(sent[0]?.text).toBe(
      "The moderation could not judge text 1001 from ann to bela: timeout. " +
        "It was approved all the same. Rule: “Custom check” (custom-check).",
    );
  });

  it("reports to moderators a message that is reported as sent and disapproved", async () => {
    const body = events.messageSent({ text: "x" });
    const { message } = body.data as { message: { data: object } };
    Object.assign(message.data, { moderation: { status: "disapproved", rule: { id: "r1" } } });

    expect((await run(enabled, body)).sent[0]?.text).toContain("Rule: r1.");
    expect((await run(enabled, events.messageSent({ text: "x" }))).sent).toEqual([]);
  });

  const own = { sender: "guard", guid: "moderators" };
  /** Its own summary, without fields that a failed engine omits. */
  const ownWithout = (...fields: string[]) => {
    const body = events.moderationEngineFailed(own);
    const { resource } = body.data as { resource: Record<string, unknown> };
    for (const field of fields) delete resource[field];
    return body;
  };
  const onlyFailed = createEscalate(sameForEveryApp({ ...rules, on: ["failed"] }));

  it.each([
    ["its own blocked summary, which would repeat", enabled, events.moderationEngineBlocked(own)],
    ["its own summary that was not judged", enabled, ownWithout()],
    ["its own summary without its receiver", enabled, ownWithout("receiver", "receiverType")],
    ["its own summary without its sender", enabled, ownWithout("receiverType", "sender")],
    ["its own summary without both", enabled, ownWithout("receiver", "receiverType", "sender")],
    ["a case that is not configured", onlyFailed, events.moderationEngineBlocked()],
    ["any case, with the shipped rules", escalate, events.moderationEngineBlocked()],
  ])("does not report %s", async (_case, trigger, body) => {
    expect((await run(trigger, body)).sent).toEqual([]);
  });

  it("recognizes its own summary if its IDs are configured in capitals", async () => {
    const capitals = createEscalate(
      sameForEveryApp(escalationRulesSchema.parse({ ...rules, group: "Moderators", as: "Guard" })),
    );
    expect((await run(capitals, ownWithout())).sent).toEqual([]);
    expect((await run(capitals, events.moderationEngineFailed())).sent).toMatchObject([
      { from: "guard", to: "moderators" },
    ]);
  });

  it("does not report a blocked automatic answer, which it recognizes by the mark", async () => {
    const spoken = { sender: "support", receiverType: "user", receiver: "ann" };
    const { metadata } = await createTestGuard("app-1").mark("an effect", spoken);
    const answer = { sender: "support", receiver: "ann", metadata };
    const copied = { sender: "ann", receiver: "support", metadata };

    const ofOwn = await run(enabled, events.moderationEngineBlocked(answer));
    const ofCopy = await run(enabled, events.moderationEngineBlocked(copied));

    expect([ofOwn.sent, ofOwn.passedOver]).toEqual([[], ["own-message"]]);
    expect([ofCopy.sent.length, ofCopy.passedOver]).toEqual([1, []]);
  });

  it("reports old cases unless maxAge is set", async () => {
    const ageMs = 49 * 60 * 60_000;
    const limited = createEscalate(sameForEveryApp({ ...rules, on: [...rules.on], maxAge: "2d" }));

    const told = await run(enabled, events.moderationEngineBlocked(), { ageMs });
    const untold = await run(limited, events.moderationEngineBlocked(), { ageMs });

    expect(told.sent).toHaveLength(1);
    expect([untold.sent, untold.passedOver]).toEqual([[], ["too-old"]]);
  });
});

describe("forward", () => {
  async function startBus() {
    const bus = await startLoopbackServer((_request, response) =>
      response.end(JSON.stringify({ FailedEntryCount: 0, Entries: [{}] })),
    );
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    vi.stubEnv("AWS_ENDPOINT_URL_EVENTBRIDGE", bus.url);
    vi.stubEnv("EVENT_BUS_NAME", "a-bus");
    return bus;
  }

  it("is off as shipped", () => {
    expect(forward.names).toEqual([]);
  });

  it("forwards all events over one connection to the bus", async () => {
    const bus = await startBus();
    const enabled = createForward(sameForEveryApp({ enabled: true, triggers: ["message_sent"] }));

    await runTrigger(enabled, events.messageSent({ id: "1" }));
    await runTrigger(enabled, events.messageSent({ id: "2" }));

    expect([bus.requests.length, bus.connections()]).toEqual([2, 1]);
  });

  it("handles the triggers that any app forwards, and forwards only this app's", async () => {
    const bus = await startBus();
    const off = { enabled: false, triggers: ["message_sent"] };
    const own = { enabled: true, triggers: ["message_sent"] };
    const forwardOf = (appId: string) =>
      createForward(settingsFrom({ default: off, apps: { [appId]: own } }, forwardRulesSchema));

    await runTrigger(forwardOf("app-2"), events.messageSent({ id: "1" }));
    const ofOthers = bus.requests.length;
    await runTrigger(forwardOf("app-1"), events.messageSent({ id: "2" }));

    expect(forwardOf("app-2").names).toEqual(["message_sent"]);
    expect([ofOthers, bus.requests.length]).toEqual([0, 1]);
  });
});
