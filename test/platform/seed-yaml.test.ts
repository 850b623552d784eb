import { describe, expect, it } from "vitest";
import { SeedError } from "../../local/platform/check-seed.ts";
import { seedFromYaml } from "../../local/platform/seed-yaml.ts";
import { call, idle, own, startPlatform, startReceiver } from "./helpers.ts";

const yaml = (receiver: string) => `
apps:
  - appId: shop
    region: eu
    name: Shöp
    engine: legacy
    fullAccessKey: ${"a".repeat(40)}
    roles: [{ role: clerk, name: Clerk }]
    users:
      - { uid: ann, name: Ann, role: clerk, tags: [vip], metadata: { rank: 1 } }
      - { uid: ben, name: Ben }
    groups:
      - { guid: club, name: Club, type: password, password: open, owner: ann, members: { ann: admin, helper: participant, silent: participant } }
    webhooks:
      - { id: old, url: "${receiver}", generation: 1, triggers: [after_message] }
    bots:
      - { uid: helper, name: Helper, webhookURL: "${receiver}", groupChatSetting: allMessages }
      - { uid: silent, name: Silent, webhookURL: "${receiver}", groupChatSetting: allMessages, enabled: false }
`;

describe("seedFromYaml", () => {
  it("fills a platform", async () => {
    const receiver = await startReceiver();
    const platform = await startPlatform({ seed: seedFromYaml(yaml(receiver.url)) });
    const shop = async (line: string, body?: unknown) =>
      await call(platform.appUrl("shop", "eu"), line, {
        headers: { apikey: "a".repeat(40), onBehalfOf: "ann" },
        body,
      });

    const user = await shop("GET /users/ann");
    const group = await shop("GET /groups/club");
    await shop("POST /messages", { receiver: "club", receiverType: "group", data: { text: "Grüße" } });
    await idle();

    expect(user.data).toMatchObject({ name: "Ann", role: "clerk", metadata: { rank: 1 } });
    expect(group.data).toMatchObject({ type: "password", owner: "ann", membersCount: 3 });
    expect((await own("GET /apps/shop/engine")).body).toEqual({ engine: "legacy" });
    expect(receiver.received.map(({ json }) => json.webhook ?? json.bot).sort()).toEqual(["helper", "old"]);
  });

  it("uses the public keys by default", () => {
    const seed = seedFromYaml("apps: [{ appId: a, region: us, name: A }]");

    expect(seed.apps[0]?.fullAccessKey).toMatch(/^10ca1f01/);
    expect(seed.management.key).toContain("not-secret");
  });

  it.each([
    { text: "", message: /seed: / },
    { text: "apps: []", message: /apps: needs at least one app/ },
    { text: "apps: [{ appId: a, region: mars, name: A }]", message: /apps\[0\]\.region/ },
    { text: app("colour: red"), message: /colour/ },
    { text: app("fullAccessKey: abc"), message: /fullAccessKey: must be 40 hex characters/ },
    { text: app("users: [{ uid: Ann, name: Ann }]"), message: /users\[0\]\.uid/ },
    {
      text: app("users: [{ uid: ann, name: Ann }, { uid: ben, name: Ben }, { uid: ann, name: Anna }]"),
      message: /apps\[0\]\.users\[2\]: ann is taken by apps\[0\]\.users\[0\]\./,
    },
    {
      text: app(
        'webhooks: [{ id: w, url: "http://a/", triggers: [] }, { id: w, url: "http://b/", triggers: [] }]',
      ),
      message: /webhooks\[1\]: w is taken/,
    },
    {
      text: "apps: [{ appId: a, region: us, name: A }, { appId: a, region: eu, name: B }]",
      message: /apps\[1\]: a is taken by apps\[0\]\./,
    },
    { text: app("users: [{ uid: ann, name: Ann, role: clerk }]"), message: /role clerk, which is not/ },
    { text: app("groups: [{ guid: g, name: G, owner: zoe }]"), message: /user zoe, who is not/ },
    { text: app("groups: [{ guid: g, name: G, type: password }]"), message: /needs a password/ },
    { text: app("groups: [{ guid: g, name: G, password: x }]"), message: /needs a password/ },
    ...["members: { a: participant }, banned: [a]", "owner: a, banned: [a]"].map((group) => ({
      text: app(`users: [{ uid: a, name: A }], groups: [{ guid: g, name: G, ${group} }]`),
      message: /apps\[0\]: group g bans a, who is its owner or a member/,
    })),
    {
      text: app("users: [{ uid: a, name: A }], groups: [{ guid: g, name: G, banned: [a, a] }]"),
      message: /apps\[0\]\.groups\[0\]\.banned\[1\]: a is taken/,
    },
    { text: app("webhooks: [{ id: w, url: 'ftp://x', triggers: [] }]"), message: /http address/ },
    {
      text: app("webhooks: [{ id: w, url: http://x, triggers: [message_new] }]"),
      message: /trigger message_new, which its engine does not have/,
    },
    {
      text: app("webhooks: [{ id: w, url: http://x, generation: 1, triggers: [message_sent] }]"),
      message: /trigger message_sent/,
    },
    { text: app("agents: [{ uid: ai, apiTools: [order] }]"), message: /tool order, which is not/ },
    { text: app("users: [{ uid: ai, name: A }], agents: [{ uid: ai }]"), message: /uid of a user or a bot/ },
    { text: app("agents: [{ uid: ai, headers: { a: b } }]"), message: /headers, which need a baseUrl/ },
    { text: "apps: [", message: /line 1/ },
  ])("refuses $text", ({ text, message }) => {
    const read = () => seedFromYaml(text);

    expect(read).toThrow(SeedError);
    expect(read).toThrow(message);
  });

  it("reports all mistakes together", () => {
    const read = () => seedFromYaml(app("users: [{ name: Ann }], groups: [{ name: G }]"));

    expect(read).toThrow(/users\[0\]\.uid[\s\S]*groups\[0\]\.guid/);
  });
});

function app(fields: string) {
  return `apps: [{ appId: a, region: us, name: A, ${fields} }]`;
}
