import { afterAll } from "vitest";
import { createTestPlatform } from "../../../../local/test-platform/create-test-platform.ts";
import type { RightCall, RightCalls } from "../right-call.ts";

const platform = await createTestPlatform();
platform.add({ agents: [{ uid: "helper-ai" }] });
afterAll(() => platform.close());
const alice = platform.user("alice");
const { id } = await alice.sends({ to: "bob", text: "hi" });

const on =
  (of: object, name: string): NonNullable<RightCall["call"]> =>
  async (...args) =>
    Reflect.apply(Reflect.get(of, name), of, args);
const script = [{ when: "a", calls: [{ tool: "order", with: {} }], say: "b", card: {} }];
const contents = {
  appId: "local-app",
  region: "us",
  name: "App",
  engine: "current",
  roles: [{ role: "vip", name: "VIP" }],
  users: [
    { uid: "carol", name: "Carol", role: "default", tags: ["a"], metadata: {} },
    { uid: "alice" },
    { uid: "bob" },
  ],
  groups: [{ guid: "chess", name: "Chess", type: "public", owner: "alice", members: { bob: "admin" } }],
  webhooks: [{ url: "http://127.0.0.1:1/", username: "u", password: "p", retryOnFailure: true }],
  bots: [
    { uid: "helper", name: "Helper", webhookURL: "http://127.0.0.1:1/", groupChatSetting: "allMessages" },
  ],
  agents: [{ uid: "ai", name: "AI", apiTools: ["order"], script: script }],
  apiTools: [{ slug: "order", endpoint: "http://127.0.0.1:1/", method: "GET", headers: { "x-a": "b" } }],
};
const freeOfScript = (place: string) => [`${place}.0.calls.0.with`, `${place}.0.card`];
const freeOf = (place: string) => [
  `${place}.users.0.metadata`,
  `${place}.groups.0.members`,
  `${place}.apiTools.0.headers`,
  ...freeOfScript(`${place}.agents.0.script`),
];
const message = { args: [id] };

export const platformCalls: RightCalls = {
  createPlatform: {
    args: [{ seed: contents, port: 0, startsAt: new Date(0), switches: { receiptsToAll: true } }],
    call: async (...args) => {
      const made = await Reflect.apply(createTestPlatform, undefined, args);
      await made.close();
    },
    free: freeOf("0.seed"),
  },
  "createPlatform, connection": {
    args: ["local-app", "fullAccess"],
    call: on(platform, "connection"),
  },
  "createPlatform, appUrl": { args: ["local-app"], call: on(platform, "appUrl") },
  "createPlatform, user": {
    args: ["alice", "local-app"],
    call: on(platform, "user"),
  },
  "createPlatform, messages": { args: ["local-app"], call: on(platform, "messages") },
  "createPlatform, simulate": {
    args: ["connect", { uid: "alice", deviceId: "web", platform: "web" }, "local-app"],
    call: on(platform, "simulate"),
  },
  "createPlatform, scriptAgent": {
    args: ["helper-ai", script, "local-app"],
    call: on(platform, "scriptAgent"),
    free: freeOfScript("1"),
  },
  "createPlatform, add": {
    args: [contents],
    call: on(platform, "add"),
    free: freeOf("0"),
  },
  "createPlatform, reset": {
    args: [contents],
    call: async (...args) => {
      await Reflect.apply(platform.reset, platform, args);
      const users = [{ uid: "alice" }, { uid: "bob" }];
      await platform.reset({ users, groups: [{ guid: "lobby" }], agents: [{ uid: "helper-ai" }] });
    },
    free: freeOf("0"),
  },
  "createPlatform, clock.advance": {
    args: ["1s"],
    call: on(platform.clock, "advance"),
  },
  "createPlatform, faults.add": {
    args: [
      { on: "request", operationId: "send-message", fault: "latency", count: 1, probability: 1, delayMs: 1 },
    ],
    call: on(platform.faults, "add"),
  },
  "createPlatform, journal.requests": {
    args: [{ operation: "send-message", status: 200 }],
    call: on(platform.journal, "requests"),
  },
  "createPlatform, journal.deliveries": {
    args: [{ trigger: "message_sent", state: "pending" }],
    call: on(platform.journal, "deliveries"),
  },
  "createPlatform, user.sends": {
    args: [{ to: "bob", text: "hi", metadata: { a: 1 }, tags: ["a"], body: { type: "text" } }],
    call: on(alice, "sends"),
    free: ["0.metadata", "0.body"],
  },
  "createPlatform, user.edits": {
    args: [id, "hi again"],
    call: on(alice, "edits"),
  },
  "createPlatform, user.reacts": { args: [id, "👍"], call: on(alice, "reacts") },
  "createPlatform, user.receives": { ...message, call: on(platform.user("bob"), "receives") },
  "createPlatform, user.reads": { ...message, call: on(platform.user("bob"), "reads") },
  "createPlatform, user.joins": {
    args: ["lobby", "secret"],
    call: async (...args) => {
      const bob = platform.user("bob");
      await Reflect.apply(bob.joins, bob, args).catch((error: unknown) => {
        if (Reflect.get(Object(error), "code") !== "ERR_ALREADY_JOINED") throw error;
      });
    },
  },
  "createPlatform, user.calls": {
    args: [{ to: "bob", type: "audio" }],
    call: on(alice, "calls"),
  },
};
