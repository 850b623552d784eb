import { describe, expect, it } from "vitest";
import { twilio as twilioFamily } from "../../../../lib/chat/notifications/providers.ts";
import { apnsProviders } from "../../../../lib/chat/notifications/push.ts";
import { moderationRules } from "../../../../lib/chat/resources/moderation-rules.ts";
import { secretNameAt } from "../../../../lib/operate/app-as-code/name-secrets.ts";
import { startApp, startApps, testSecrets } from "../../../helpers/app-apis.ts";

const secrets: Readonly<Record<string, string>> = {
  ...testSecrets,
  giphy: "giphy-key-4711",
  "extension-gifs_giphy-giphyApiKey": "giphy-key-4711",
  "twilio-twilioAuthToken": "twilio-4711",
  p8: "p8-4711",
  "push-apns-apns_main-p8Key": "p8-4711",
  "bot-archiver-password": "archiver4711",
  agentKey: "agent-key-4711",
  ownAgent: "Bearer own-4711",
  ...Object.fromEntries(
    ["ag-ui", "ag2", "rasa"].map((kind) => [
      secretNameAt(["own-agent", `Own ${kind}`, "headers", "Authorization"]),
      "Bearer own-4711",
    ]),
  ),
  "tool-order_status-headers-X_API_Key": "agent-key-4711",
  "tool-stock-headers-Authorization": "Bearer shop-4711",
  "tool-stock-username": "shop",
  "tool-stock-password": "stock4711",
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
  agents: {
    variables: [{ name: "plan", sourceType: "user_metadata", sourcePath: "plan", defaultValue: "free" }],
    texts: [{ title: "Returns", text: "Within 30 days." }],
    apiTools: [
      {
        slug: "order-status",
        name: "Order status",
        description: "Returns where an order is",
        tool: "order-status",
        parameters: [{ key: "order", type: "number", description: "Its number", required: true }],
      },
      {
        slug: "stock",
        name: "Stock",
        description: "Returns what is left",
        endpoint: "https://shop.example.com/stock",
        method: "GET",
        headers: {
          Authorization: { secret: "tool-stock-headers-Authorization" },
          "X-Plan": "@var-custom:plan",
        },
        credentials: {
          username: { secret: "tool-stock-username" },
          password: { secret: "tool-stock-password" },
        },
      },
    ],
    mcpServers: [{ slug: "weather", name: "Weather", url: "https://mcp.example.com/sse" }],
    frontendActions: [{ triggerFunction: "openOrder", name: "Open order", description: "Shows an order" }],
    agents: [
      {
        name: "Support",
        instruction: "Answer in one sentence.",
        model: "gpt-4o",
        isActive: false,
        tools: ["gmail"],
        apiTools: ["stock", "order-status"],
        mcpServers: ["weather"],
        frontendActions: ["openOrder"],
        texts: ["Returns"],
        modelMetaData: { temperature: 0.2 },
      },
    ],
    ownTools: [
      { name: "look", displayName: "Look", executionText: "Looking…", doNotExecute: true },
      {
        name: "open",
        displayName: "Open",
        executionText: "Opening…",
        description: "Opens",
        parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      },
    ],
    ownAgents: (["ag-ui", "ag2", "rasa"] as const).map((integrateWith) => ({
      name: `Own ${integrateWith}`,
      icon: "https://a.example/i.png",
      integrateWith,
      baseUrl: "https://a.example/run",
      headers: { Authorization: { secret: "ownAgent" } },
      tools: ["look"],
      actions: ["open"],
      metaData: { greetingMessage: "Hi" },
    })),
  },
  bots: {
    bots: [
      { uid: "helper", name: "Helper", groupChatSetting: "mentionedMessages" },
      {
        uid: "archiver",
        name: "Archiver",
        url: "https://archive.example.com/",
        credentials: { username: "platform", password: { secret: "bot-archiver-password" } },
        enabled: false,
      },
      { uid: "open", name: "Open", url: "https://open.example.com/", groupChatSetting: "slashedMessages" },
    ],
  },
  webhooks: {
    webhooks: [
      { id: "functions", name: "Functions", triggers: "needed" },
      { id: "archive", url: "https://archive.example.com/", triggers: ["message_sent"], enabled: false },
    ],
  },
};

const isDone = /^(created|updated)$/;

describe("a whole app", () => {
  it("becomes as declared, and is exported without secrets so that a second app becomes equal", async () => {
    const { platform, apisOf } = startApps();
    const [one, two] = [apisOf("one"), apisOf("two")];
    await platform.clock.advance(60_000);
    const wrong = Object.fromEntries(Object.keys(secrets).map((name) => [name, `other-${name}-4712`]));
    const before = await one.plan(contents, { secrets });

    const made = await one.apply(contents, { secrets });
    const exported = await one.contents();
    const after = await one.plan(contents, { secrets: wrong, switches: { writesUnknown: true } });
    const remade = await two.apply(exported, { secrets });

    expect(made.length).toBeGreaterThan(15);
    expect([...made, ...remade].filter(({ outcome }) => !isDone.test(outcome))).toEqual([]);
    for (const file of [contents, exported]) expect(await one.toDo(file, { secrets })).toEqual([]);
    expect(await two.contents()).toEqual(exported);
    const shown = JSON.stringify([
      exported,
      [before, after].map(({ steps }) => steps.map(({ changes, unknown }) => [changes, unknown])),
    ]);
    expect(shown).toContain("(secret)");
    expect(shown).not.toMatch(/4711|4712|abc123/);
  });

  it("keeps undeclared fields of a moderation rule, though a PUT replaces the rule", async () => {
    const { apis } = startApp();
    const { moderationRules: calls } = apis.chat.using({ moderationRules });
    const before = await calls.get("email_filter");
    const name = "Email Filter";

    await apis.apply({ "moderation-rules": { rules: [{ id: "email_filter", name, enabled: true }] } });
    const after = await calls.get("email_filter");
    await apis.apply({
      "moderation-rules": { rules: [{ id: "email_filter", name, action: ["flagMessage"] }] },
    });
    const again = await calls.get("email_filter");

    expect(before.conditions).toHaveLength(1);
    expect(after).toMatchObject({
      enabled: true,
      conditions: before.conditions,
      description: before.description,
    });
    expect(again).toMatchObject({ enabled: true, conditions: before.conditions, action: ["flagMessage"] });
  });

  it("keeps undeclared fields of a notification provider, though a change replaces it", async () => {
    const { apis } = startApp({ switches: { providerChanges: "replace" } });
    const apns = { providerId: "apns-main", keyId: "ABC", productionMode: true, p8Key: { secret: "p8" } };
    const twilio = {
      twilioAccountSID: "AC1",
      twilioSenderPhoneNumber: "+49",
      isEnabled: true,
      twilioAuthToken: { secret: "p8" },
    };
    const declare = (one: object, other: object) => ({
      notifications: { apns: [{ ...apns, ...one }], providers: { twilio: { ...twilio, ...other } } },
    });
    await apis.apply(declare({}, {}), { secrets });

    await apis.apply(declare({ productionMode: false }, { isEnabled: false }), { secrets });

    const { pushProviders } = await apis.chat.using({ apnsProviders }).apnsProviders.list();
    expect(pushProviders).toEqual([{ ...apns, productionMode: false, p8Key: "p8-4711", isDefault: true }]);
    expect(await apis.chat.using({ twilio: twilioFamily }).twilio.get()).toEqual({
      ...twilio,
      twilioAuthToken: "p8-4711",
      isEnabled: false,
    });
  });

  it("leaves out the platform's defaults unless they were changed", async () => {
    const { platform, apisOf } = startApps();
    const apis = apisOf("one");
    await platform.clock.advance(60_000);

    const untouched = await apis.contents();
    await apis.apply({
      "moderation-rules": { rules: [{ id: "email_filter", name: "Email Filter", enabled: true }] },
    });
    const touched = await apis.contents();

    expect(untouched).toMatchObject({
      "moderation-reasons": { reasons: [] },
      "moderation-rules": { rules: [] },
      roles: { roles: [] },
    });
    expect(touched).toMatchObject({ "moderation-rules": { rules: [{ id: "email_filter", enabled: true }] } });
  });
});
