import { describe, expect, it } from "vitest";
import type { AppPlan } from "../../lib/operate/app-as-code/plan-app.ts";
import { startApps, toDoOf } from "../helpers/app-apis.ts";

const contents = {
  roles: {
    roles: [
      { role: "agent", name: "Agent", description: "Answers.", restricted: ["createGroup", "deleteGroup"] },
    ],
  },
  "moderation-reasons": {
    reasons: [
      { id: "spam", name: "Spam, and nothing but" },
      { id: "other", name: "Something else" },
    ],
    absent: ["sexual"],
  },
  "keyword-lists": { lists: [{ id: "insults", category: "word", terms: ["dumb", "stupid"] }] },
  "moderation-rules": {
    rules: [
      {
        id: "no-insults",
        name: "No insults",
        conditions: [{ operand: "text", operator: "contains", category: "word", value: ["insults"] }],
      },
    ],
  },
  notifications: {
    settings: { sound: { chat: "ping.wav" } },
    fcm: [{ providerId: "main", isDefault: true }],
  },
  settings: { settings: { "core.conversations.updateOnReplies": false } },
  extensions: {
    extensions: {
      polls: { enabled: true },
      "xss-filter": { enabled: true, settings: { dropMessage: true } },
    },
  },
  agents: {
    variables: [{ name: "plan", sourceType: "constant", constantValue: "free" }],
    texts: [{ title: "Returns", text: "Within 30 days." }],
    apiTools: [
      {
        slug: "order-status",
        name: "Order status",
        description: "Returns where an order is",
        endpoint: "https://shop.example.com/orders",
        method: "GET",
      },
    ],
    mcpServers: [{ slug: "weather", name: "Weather", url: "https://mcp.example.com/sse" }],
    frontendActions: [{ triggerFunction: "openOrder", name: "Open order", description: "Shows an order" }],
    agents: [
      {
        name: "Support",
        instruction: "Answer.",
        tools: ["gmail"],
        apiTools: ["order-status"],
        mcpServers: ["weather"],
        frontendActions: ["openOrder"],
        texts: ["Returns"],
      },
    ],
    ownTools: [{ name: "look", displayName: "Look", executionText: "Looking", doNotExecute: true }],
    ownAgents: [
      {
        name: "Own",
        icon: "https://a.example/i.png",
        integrateWith: "ag2",
        baseUrl: "https://a.example/run",
        headers: { Accept: "text/plain" },
        tools: ["look"],
      },
    ],
  },
  bots: { bots: [{ uid: "robot", name: "Robot", groupChatSetting: "allMessages" }] },
  webhooks: {
    webhooks: [{ id: "functions", name: "Functions", triggers: ["message_sent", "message_edited"] }],
  },
};
const switches = { mayDelete: true };

/** Ends the network after so many requests of a run: the last one reaches the platform, or does not. */
function dyingNetwork() {
  const state = { left: Number.POSITIVE_INFINITY, isCarriedOut: false };
  const dead = () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("gone"), { code: "ECONNRESET" }) });
  };
  return {
    state,
    before: () => {
      state.left -= 1;
      if (state.left < 0 || (state.left === 0 && !state.isCarriedOut)) dead();
      return undefined;
    },
    after: () => {
      if (state.left === 0) dead();
      return undefined;
    },
  };
}

/** What the platform has of the declared resources. */
function foundBy({ steps }: AppPlan) {
  const found = steps.map(({ kind, id, found }) => [kind.name, id, found?.fields]);
  return JSON.stringify(found).replaceAll(/app-\d+|whole/g, "app");
}

describe("an interrupted apply", { timeout: 600_000 }, () => {
  it.each([
    ["before the platform got the request", false],
    ["after the platform carried it out", true],
  ])("continues when it is repeated: %s", async (_case, isCarriedOut) => {
    const network = dyingNetwork();
    const { platform, apisOf, requests } = startApps(network);
    const whole = apisOf("whole");
    const apps = Array.from({ length: 250 }, (_, index) => apisOf(`app-${index}`));
    await platform.clock.advance(60_000);
    await whole.apply(contents, { switches });
    const total = requests.length;
    const expected = foundBy(await whole.plan(contents, { switches }));

    const wrong: unknown[] = [];
    for (const [at, apis] of apps.slice(0, total + 1).entries()) {
      Object.assign(network.state, { left: at, isCarriedOut });
      await apis.apply(contents, { switches }).catch(() => undefined);
      network.state.left = Number.POSITIVE_INFINITY;
      const outcomes = await apis.apply(contents, { switches });
      const plan = await apis.plan(contents, { switches });
      const left = toDoOf(plan);
      const isEqual = foundBy(plan) === expected;
      const failed = outcomes.filter((outcome) => "cause" in outcome);
      if (left.length > 0 || failed.length > 0 || !isEqual) wrong.push({ at, left, failed, isEqual });
    }

    expect(total).toBeGreaterThan(60);
    expect(total).toBeLessThan(apps.length);
    expect(wrong).toEqual([]);
  });
});
