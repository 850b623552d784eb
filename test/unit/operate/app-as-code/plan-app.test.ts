import { describe, expect, it } from "vitest";
import { reasons } from "../../../../lib/chat/resources/moderation-rules.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import { keepApp } from "../../../../lib/operate/app-as-code/keep-apps.ts";
import { webhooksSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { startApp, startApps, testFacts, testSecrets, toDoOf, toldOf } from "../../../helpers/app-apis.ts";

const reasonsFile = (...list: { id: string; name: string; description?: string }[]) => ({
  "moderation-reasons": { reasons: list },
});

describe("planApp", () => {
  it("looks up a resource by its id if the list lacks it", async () => {
    const { apisOf } = startApps({
      before: (request) =>
        request.method === "GET" && request.url.endsWith("/moderation/reasons")
          ? Response.json({ data: [], meta: { current: { limit: 10, count: 0 } } })
          : undefined,
    });

    const plan = await apisOf("one").plan(
      reasonsFile({ id: "spam", name: "Spam!" }, { id: "violence", name: "Violence" }),
    );

    expect(toDoOf(plan)).toEqual([
      "update moderation reason spam: name",
      "create moderation reason violence: name",
    ]);
  });

  it("keeps undeclared resources, and lists them", async () => {
    const { apisOf } = startApps();

    const plan = await apisOf("one").plan(reasonsFile({ id: "spam", name: "Spam!" }));

    expect(plan.others).toEqual(["sexual", "harassment"].map((id) => ({ kind: "moderation reason", id })));
  });

  it("deletes what is declared absent only if that is allowed", async () => {
    const { apis } = startApp();
    const contents = { "moderation-reasons": { reasons: [], absent: ["sexual", "never-there"] } };

    const held = await apis.plan(contents);
    const allowed = await apis.plan(contents, { switches: { mayDelete: true } });

    expect(held.steps.map(({ id, action }) => [id, action])).toEqual([["sexual", "held"]]);
    expect(toldOf(await applyPlan(held, apis))).toEqual([]);
    expect(toldOf(await applyPlan(allowed, apis))).toEqual(["deleted moderation reason sexual"]);
    expect((await apis.plan(contents)).steps).toEqual([]);
  });

  it("deletes rules before the lists that they name, and after all else", async () => {
    const { apisOf } = startApps();
    const contents = {
      "moderation-reasons": { reasons: [{ id: "new", name: "New" }] },
      "keyword-lists": { lists: [], absent: ["profanity-list"] },
      "moderation-rules": { rules: [], absent: ["email_filter"] },
    };

    const plan = await apisOf("one").plan(contents, { switches: { mayDelete: true } });

    expect(plan.steps.map(({ id }) => id)).toEqual(["new", "email_filter", "profanity-list"]);
  });

  it("enables a disabled webhook, and adds missing triggers", async () => {
    const { apis } = startApp();
    const contents = { webhooks: { webhooks: [{ id: "functions", triggers: "needed" }] } };
    await apis.apply(contents);
    await apis.management?.webhooks.update("one", "functions", { enabled: false });
    await apis.management?.webhooks.removeTriggers("one", "functions", { triggerIds: ["message_sent"] });

    const plan = await apis.plan(contents);

    expect(toDoOf(plan)).toEqual(["update webhook functions: enabled, triggers"]);
    await applyPlan(plan, apis);
    expect(await apis.toDo(contents)).toEqual([]);
  });

  it("blocks a webhook whose needed triggers are unknown", async () => {
    const { apisOf } = startApps();
    const facts = { ...testFacts, neededTriggers: undefined };

    const kept = await keepApp({
      kinds: webhooksSubject.kinds,
      declared: webhooksSubject.declare({ webhooks: [{ id: "functions" }] }, facts),
      apis: apisOf("one"),
      secretOf: async (name) => testSecrets[name],
      isRehearsal: true,
      isRotating: async () => false,
    });

    expect(kept.things).toEqual([
      { kind: "webhook", id: "functions", outcome: "blocked", cause: "Nothing says its triggers." },
    ]);
  });

  it("names what it cannot read without management credentials", async () => {
    const { apisOf } = startApps();
    const apis = apisOf("one", { withManagement: false });

    const plan = await apis.plan({
      ...reasonsFile({ id: "new", name: "New" }),
      settings: { settings: { "core.conversations.updateOnReplies": false } },
    });

    expect([toDoOf(plan), plan.unseen]).toEqual([["create moderation reason new: name"], ["app settings"]]);
  });

  it("changes its state with every change: by hand, in a file, in the secret or in the switches", async () => {
    const { apis } = startApp();
    const webhooks = { webhooks: [{ id: "functions", triggers: "needed" }] };
    const contents = { ...reasonsFile({ id: "spam", name: "Spam!" }), webhooks };
    const states = [await apis.plan(contents)];
    states.push(await apis.plan({ ...contents, ...reasonsFile({ id: "spam", name: "Spam?" }) }));
    states.push(
      await apis.plan(contents, {
        secrets: { webhookUsername: "platform", webhookPassword: "other1" },
      }),
    );
    states.push(await apis.plan(contents, { switches: { mayDelete: true } }));
    await apis.chat.call(reasons.update, "sexual", { name: "Changed by hand" });
    states.push(await apis.plan(contents));
    const again = await apis.plan(contents);

    expect(new Set(states.map(({ state }) => state)).size).toBe(states.length);
    expect(again.state).toBe(states.at(-1)?.state);
  });
});
