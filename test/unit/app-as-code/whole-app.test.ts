import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../lib/app-as-code/apply-plan.ts";
import { declareApp } from "../../../lib/app-as-code/declare-app.ts";
import { exportApp } from "../../../lib/app-as-code/export-app.ts";
import { isToDo, planApp } from "../../../lib/app-as-code/plan-app.ts";
import { subjects } from "../../../lib/app-as-code/subjects.ts";
import type { AppApis } from "../../../lib/app-as-code/thing.ts";
import { startApps, testFacts } from "../../helpers/app-apis.ts";

const secrets: Readonly<Record<string, string>> = {
  webhookUsername: "platform",
  webhookPassword: "abc123",
  giphy: "giphy-key-4711",
  "extension-gifs-giphy-giphyApiKey": "giphy-key-4711",
  "twilio-twilioAuthToken": "twilio-4711",
  p8: "p8-4711",
  "push-apns-apns-main-p8Key": "p8-4711",
};

const contents: Readonly<Record<string, unknown>> = {
  roles: {
    roles: [
      {
        role: "agent",
        name: "Agent",
        description: "Answers.",
        metadata: { team: "support" },
        settings: { listUsers: "all" },
        permissions: { "listUsers.mode": "friends", "createGroup.allowedGroupTypes": ["public", "private"] },
        restricted: ["deleteGroup", "createGroup"],
      },
    ],
  },
  "moderation-reasons": {
    reasons: [
      { id: "spam", name: "Spam, and nothing but" },
      { id: "other", name: "Something else", description: "Größe?" },
    ],
  },
  "keyword-lists": {
    lists: [
      { id: "insults", name: "Insults", category: "word", terms: ["dumb", "stupid"] },
      { id: "numbers", category: "pattern", terms: ["\\d{2,3}", 'a"b'] },
      {
        id: "offers",
        name: "Offers",
        category: "sentence-similarity",
        terms: ["Buy now, pay later", "Hot!"],
      },
    ],
  },
  "moderation-rules": {
    rules: [
      {
        id: "no-insults",
        name: "No insults",
        enabled: true,
        action: ["blockMessage"],
        conditions: [
          {
            operand: "text",
            operator: "contains",
            category: "word",
            value: "insults",
            isKeywordsReferencePresent: true,
          },
        ],
        filters: [{ type: "sender", entity: "user", operand: "role", operator: "equals", value: "default" }],
      },
    ],
  },
  notifications: {
    settings: { preferences: { group: { messagesSetting: 3 } }, sound: { chat: "ping.wav" } },
    fcm: [{ providerId: "fcm-main", serviceAccountFilename: "a.json" }],
    apns: [
      {
        providerId: "apns-main",
        keyId: "ABC",
        productionMode: true,
        p8Key: { secret: "p8" },
      },
    ],
    providers: {
      twilio: {
        twilioAccountSID: "AC1",
        twilioAuthToken: { secret: "twilio-twilioAuthToken" },
        twilioSenderPhoneNumber: "+49",
        isEnabled: true,
      },
    },
  },
  settings: {
    settings: {
      "core.conversations.updateOnReplies": false,
      "core.notifications.push.advanced.included": ["a"],
    },
  },
  extensions: {
    extensions: {
      "gifs-giphy": { enabled: true, settings: { giphyApiKey: { secret: "giphy" } } },
      polls: { enabled: true },
      "data-masking": {
        enabled: false,
        settings: { dropMessage: true, defaultRegexData: [], customregexData: [] },
      },
    },
  },
  webhooks: {
    webhooks: [
      { id: "functions", name: "Functions", triggers: "needed" },
      { id: "archive", url: "https://archive.example.com/", triggers: ["message_sent"], enabled: false },
    ],
  },
};

async function plan(apis: AppApis, said = contents, switches = {}) {
  return planApp({
    kinds: subjects.flatMap(({ kinds }) => kinds),
    declared: declareApp(subjects, (name) => said[name], { ...testFacts, appId: apis.appId }),
    apis,
    secretOf: async (name) => secrets[name],
    switches: { mayDelete: false, writesUnknown: false, ...switches },
    digestKey: "key",
  });
}

async function contentsOf(apis: AppApis) {
  const { files, unseen } = await exportApp(subjects, apis, testFacts);
  expect(unseen).toEqual([]);
  return Object.fromEntries(files.map(({ subject, content }) => [subject, content]));
}

describe("a whole app", () => {
  it("becomes as declared, and a second plan has nothing to do", async () => {
    const { apisOf } = startApps();
    const apis = apisOf("one");

    const outcomes = await applyPlan(await plan(apis), apis);

    expect(outcomes.filter(({ outcome }) => outcome !== "created" && outcome !== "updated")).toEqual([]);
    expect((await plan(apis)).steps.filter(isToDo).map(({ id, changes }) => [id, changes])).toEqual([]);
  });

  it("is told by an export, which makes a second app like it", async () => {
    const { platform, apisOf } = startApps();
    const [one, two] = [apisOf("one"), apisOf("two")];
    await platform.clock.advance(60_000);
    await applyPlan(await plan(one), one);

    const exported = await contentsOf(one);
    const outcomes = await applyPlan(await plan(two, exported), two);

    expect(outcomes.filter(({ outcome }) => outcome !== "created" && outcome !== "updated")).toEqual([]);
    expect(await contentsOf(two)).toEqual(exported);
    expect((await plan(one, exported)).steps.filter(isToDo).map(({ id, changes }) => [id, changes])).toEqual(
      [],
    );
  });
});
