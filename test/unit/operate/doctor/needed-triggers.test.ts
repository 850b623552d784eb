import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createForward } from "../../../../lib/behaviours/forwarding/create-forward.ts";
import { forwardRulesSchema } from "../../../../lib/behaviours/forwarding/forward-rules.ts";
import { settingsFrom } from "../../../../lib/chat/settings-from.ts";
import type { EventName } from "../../../../lib/events/app-event.ts";
import { catalogue } from "../../../../lib/events/catalogue.ts";
import type { TriggerName } from "../../../../lib/events/chat-event.ts";
import { parseEvent } from "../../../../lib/events/parse-event.ts";
import { defineFlow } from "../../../../lib/flows/define-flow.ts";
import { canarySettingsSchema } from "../../../../lib/handle/canary/canary-settings.ts";
import { onTrigger } from "../../../../lib/handle/on-trigger.ts";
import { callReportOf } from "../../../../lib/handle/phone-calls/call-report.ts";
import {
  collectFacts,
  neededTriggers,
  reportingTriggers,
} from "../../../../lib/operate/doctor/needed-triggers.ts";
import { events } from "../../../../local/testing/events/events.ts";

const on = (names: EventName | readonly EventName[]) => onTrigger(names, async () => {});

describe("neededTriggers", () => {
  it("returns no trigger without functions", () => {
    expect(neededTriggers("a", { triggers: {}, flows: [] })).toEqual({
      webhook: {},
      elsewhere: {},
      everything: [],
    });
  });

  it("names each trigger once, with everything that needs it", () => {
    const needed = neededTriggers("a", {
      triggers: { welcome: on(["group_member_joined", "message_sent"]), "auto-reply": on("message_sent") },
      flows: [defineFlow("remind", { input: z.object({}), waitsFor: ["message_sent"] }, async () => {})],
      others: { reconcile: ["message_sent"] },
    });

    expect(needed.webhook).toEqual({
      group_member_joined: ["welcome"],
      message_sent: ["auto-reply", "flow remind", "reconcile", "welcome"],
    });
  });

  it("replaces a derived event by its source events", () => {
    const { webhook } = neededTriggers("a", { triggers: { missed: on("call_missed") }, flows: [] });

    expect(webhook).toEqual({
      call_busy: ["missed"],
      call_cancelled: ["missed"],
      call_unanswered: ["missed"],
    });
  });

  it("separates events that no webhook of the current engine reports", () => {
    const triggers = { push: on("push-notification-payload-generated"), old: on("after_message") };

    const { webhook, elsewhere } = neededTriggers("a", { triggers, flows: [] });

    expect(webhook).toEqual({});
    expect(elsewhere).toEqual({ after_message: ["old"], "push-notification-payload-generated": ["push"] });
  });

  it("separates triggers that handle every event", () => {
    const needed = neededTriggers("a", {
      triggers: { watch: on("*"), also: on(["*", "message_sent"]) },
      flows: [],
    });

    expect(needed.everything).toEqual(["also", "watch"]);
    expect(needed.webhook).toEqual({ message_sent: ["also"] });
  });

  it("applies each app's own settings", () => {
    const rules = settingsFrom(
      {
        default: { enabled: true, triggers: ["message_sent"] },
        apps: {
          a: { enabled: true, triggers: ["user_blocked"] },
          off: { enabled: false, triggers: ["message_sent"] },
        },
      },
      forwardRulesSchema,
    );
    const sources = { triggers: { forward: createForward(rules) }, flows: [] };

    expect(Object.keys(neededTriggers("a", sources).webhook)).toEqual(["user_blocked"]);
    expect(Object.keys(neededTriggers("b", sources).webhook)).toEqual(["message_sent"]);
    expect(Object.keys(neededTriggers("off", sources).webhook)).toEqual([]);
  });
});

it("collectFacts groups apps with the same needs, and lists the canary users of each app", () => {
  const table = { welcome: on("group_member_joined"), quiet: on("user_blocked") };
  const enabled = { table, shadowed: new Set(["quiet"]), off: {} };
  const users = { sender: "Ann", receiver: "BOB" };
  const canary = settingsFrom({ default: {}, apps: { c: { users } } }, canarySettingsSchema);
  const flows = [defineFlow("remind", { input: z.object({}) }, async () => {})];
  const deployed = { appIds: ["a", "b", "c"], enabled, flows, canary };
  const webhook = { group_member_joined: ["welcome"], user_blocked: ["quiet"] };
  const rest = { elsewhere: {}, everything: [] };
  const canaried = { ...webhook, message_sent: ["canary"] };

  expect(collectFacts({ ...deployed, isReconciled: false })).toEqual({
    appIds: ["a", "b", "c"],
    triggers: [
      { name: "welcome", isShadowed: false },
      { name: "quiet", isShadowed: true },
    ],
    flows: ["remind"],
    needs: [
      { appIds: ["a", "b"], webhook, ...rest },
      { appIds: ["c"], webhook: canaried, ...rest },
    ],
    canaries: [{ appId: "c", sender: "ann", receiver: "bob" }],
  });
  expect(collectFacts({ ...deployed, isReconciled: true }).needs[0]?.webhook).toEqual({
    ...webhook,
    message_sent: ["reconcile"],
  });
});

describe("reportingTriggers", () => {
  it("lists only events of webhooks", () => {
    const told: readonly TriggerName[] = Object.values(reportingTriggers).flat();

    expect(told.filter((name) => !catalogue[name].families.includes("webhook"))).toEqual([]);
  });

  it("lists every event that reports on a call session", () => {
    const bodies = [
      events.callInitiated(),
      events.callStarted(),
      events.callParticipantJoined(),
      events.callParticipantLeft(),
      events.callEnded(),
    ];

    const told = bodies
      .map((body) => parseEvent(body))
      .filter((parsed) => parsed.ok && callReportOf(parsed.event));

    expect(told).toHaveLength(bodies.length);
    expect(reportingTriggers.call_summary).toEqual(
      expect.arrayContaining(bodies.map(({ trigger }) => trigger)),
    );
  });
});
