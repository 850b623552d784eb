import { afterAll } from "vitest";
import { createTestPlatform } from "../../../../local/test-platform/create-test-platform.ts";
import { anyText, anything, type RightCall, type RightCalls } from "../right-call.ts";

const platform = await createTestPlatform();
platform.add({ agents: [{ uid: "helper-ai" }] });
afterAll(() => platform.close());
const alice = platform.user("alice");
const { id } = await alice.sends({ to: "bob", text: "hi" });

const on =
  (of: object, name: string): NonNullable<RightCall["call"]> =>
  async (...args) =>
    Reflect.apply(Reflect.get(of, name), of, args);
const script = () => [{ when: "a", calls: [{ tool: "order", with: { id: 1 } }], say: "b", card: { a: 1 } }];
const contents = () => ({
  ...{ appId: "local-app", region: "us", name: "App", engine: "current" },
  roles: [{ role: "vip", name: "VIP" }],
  users: [
    { uid: "carol", name: "Carol", role: "default", tags: ["a"], metadata: { a: 1 } },
    { uid: "alice" },
    { uid: "bob" },
  ],
  groups: [{ guid: "chess", name: "Chess", type: "public", owner: "alice", members: { bob: "admin" } }],
  webhooks: [{ url: "http://127.0.0.1:1/", username: "u", password: "p", retryOnFailure: true }],
  bots: [{ uid: "helper", name: "Helper", url: "http://127.0.0.1:1/", groupMessages: "all" }],
  agents: [{ uid: "ai", name: "AI", apiTools: ["order"], script: script() }],
  apiTools: [{ slug: "order", endpoint: "http://127.0.0.1:1/", method: "GET", headers: { "x-a": "b" } }],
});
/** As the client takes it: what JSON leaves out is left out. */
const plain = anything.filter((oddity) => oddity !== "hostile");
const freeOfScript = (place: string) => [`${place}.0.calls.0.with`, `${place}.0.card`];
const takenOfScript = (place: string) => ({
  ...{ [`${place}.0.when`]: anyText, [`${place}.0.say`]: anyText, [`${place}.0.calls.0.tool`]: anyText },
  ...{ [`${place}.0.calls.0.with.id`]: anything, [`${place}.0.card.a`]: anything },
});
const takenOf = (place: string) =>
  Object.fromEntries(
    Object.entries({
      appId: anyText,
      name: anyText,
      "roles.0.role": anyText,
      "roles.0.name": anyText,
      "users.0.uid": anyText,
      "users.0.name": anyText,
      "users.1.uid": anyText,
      "users.2.uid": anyText,
      "users.0.tags.0": anyText,
      "users.0.metadata.a": anything,
      "groups.0.guid": anyText,
      "groups.0.name": anyText,
      // Whom a group names must be there; one such is made by another of these calls.
      "groups.0.owner": anyText,
      "webhooks.0.username": anyText,
      "webhooks.0.password": anyText,
      "bots.0.uid": anyText,
      "bots.0.name": anyText,
      "agents.0.uid": anyText,
      "agents.0.name": anyText,
      "agents.0.apiTools.0": anyText,
      "apiTools.0.slug": anyText,
      "apiTools.0.headers.x-a": anyText,
      ...takenOfScript("agents.0.script"),
    }).map(([name, right]) => [`${place}.${name}`, right]),
  );
const freeOf = (place: string) => [
  `${place}.users.0.metadata`,
  `${place}.groups.0.members`,
  `${place}.apiTools.0.headers`,
  ...freeOfScript(`${place}.agents.0.script`),
];
/** Of an app that there is not, and of ids that nothing has, the platform tells in its own words. */
const app = {};
const message = { args: () => [id] };

export const platformCalls: RightCalls = {
  createPlatform: {
    args: () => [{ seed: contents(), port: 0, startsAt: new Date(0), switches: { receiptsToAll: true } }],
    call: async (...args) => {
      const made = await Reflect.apply(createTestPlatform, undefined, args);
      await made.close();
    },
    free: freeOf("0.seed"),
    takes: {
      ...takenOf("0.seed"),
    },
  },
  "createPlatform, connection": {
    args: () => ["local-app", "fullAccess"],
    call: on(platform, "connection"),
    takes: { ...app },
  },
  "createPlatform, appUrl": { args: () => ["local-app"], call: on(platform, "appUrl"), takes: app },
  "createPlatform, user": {
    args: () => ["alice", "local-app"],
    call: on(platform, "user"),
    // Whether there is such an app is asked when the user does something.
    takes: { 0: anyText, 1: anyText },
  },
  "createPlatform, messages": { args: () => ["local-app"], call: on(platform, "messages"), takes: app },
  "createPlatform, simulate": {
    args: () => ["connect", { uid: "alice", deviceId: "web", platform: "web" }, "local-app"],
    call: on(platform, "simulate"),
    takes: { "1.deviceId": anyText, "1.platform": anyText },
  },
  "createPlatform, scriptAgent": {
    args: () => ["helper-ai", script(), "local-app"],
    call: on(platform, "scriptAgent"),
    free: freeOfScript("1"),
    takes: takenOfScript("1"),
  },
  "createPlatform, add": {
    args: () => [contents()],
    call: on(platform, "add"),
    free: freeOf("0"),
    takes: { ...takenOf("0") },
  },
  "createPlatform, reset": {
    args: () => [contents()],
    call: async (...args) => {
      await Reflect.apply(platform.reset, platform, args);
      const users = [{ uid: "alice" }, { uid: "bob" }];
      await platform.reset({ users, groups: [{ guid: "lobby" }], agents: [{ uid: "helper-ai" }] });
    },
    free: freeOf("0"),
    takes: { ...takenOf("0") },
  },
  "createPlatform, clock.advance": {
    args: () => ["1s"],
    call: on(platform.clock, "advance"),
  },
  "createPlatform, faults.add": {
    args: () => [
      { on: "request", operationId: "send-message", fault: "latency", count: 1, probability: 1, delayMs: 1 },
    ],
    call: on(platform.faults, "add"),
  },
  "createPlatform, journal.requests": {
    args: () => [{ operation: "send-message", status: 200 }],
    call: on(platform.journal, "requests"),
    takes: { "0.operation": anything, "0.status": anything },
  },
  "createPlatform, journal.deliveries": {
    args: () => [{ trigger: "message_sent", state: "pending" }],
    call: on(platform.journal, "deliveries"),
    takes: { "0.trigger": anything, "0.state": anything },
  },
  "createPlatform, user.sends": {
    args: () => [{ to: "bob", text: "hi", metadata: { a: 1 }, tags: ["a"], body: { type: "text" } }],
    call: on(alice, "sends"),
    free: ["0.metadata", "0.body"],
    takes: {
      // Somebody of that name may be there by now.
      "0.to": anyText,
      ...{ "0.text": anyText, "0.metadata.a": plain },
      ...{ "0.tags.0": anyText, "0.body.type": plain },
    },
  },
  "createPlatform, user.edits": {
    args: () => [id, "hi again"],
    call: on(alice, "edits"),
    takes: { 1: anyText },
  },
  "createPlatform, user.reacts": { args: () => [id, "👍"], call: on(alice, "reacts"), takes: { 1: anyText } },
  "createPlatform, user.receives": { ...message, call: on(platform.user("bob"), "receives") },
  "createPlatform, user.reads": { ...message, call: on(platform.user("bob"), "reads") },
  "createPlatform, user.joins": {
    args: () => ["lobby", "secret"],
    call: async (...args) => {
      const bob = platform.user("bob");
      await Reflect.apply(bob.joins, bob, args).catch((error: unknown) => {
        if (Reflect.get(Object(error), "code") !== "ERR_ALREADY_JOINED") throw error;
      });
    },
    takes: { 1: anyText },
  },
  "createPlatform, user.calls": {
    args: () => [{ to: "bob", type: "audio" }],
    call: on(alice, "calls"),
    takes: { "0.to": anyText },
  },
};
