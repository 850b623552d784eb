import { afterAll } from "vitest";
import { createTestPlatform } from "../../../../local/test-platform/create-test-platform.ts";
import { anyText, anything, maybeText, optional, type RightCall, type RightCalls } from "../right-call.ts";

const platform = await createTestPlatform();
afterAll(() => platform.close());
const alice = platform.user("alice");
const { id } = await alice.sends({ to: "bob", text: "hi" });

const on =
  (of: object, name: string): NonNullable<RightCall["call"]> =>
  async (...args) =>
    Reflect.apply(Reflect.get(of, name), of, args);
const bag = ["undefined", "object", "bare", "instance", "date", "map", "promise"];
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
});
const list = ["undefined", "list"];
const text = ["text"];
/** As the client takes it: what JSON leaves out is left out. */
const plain = anything.filter((oddity) => !["bigint", "circular", "hostile"].includes(oddity));
const asJson = ["undefined", "object", "bare", "date", "map", "instance", "promise"];
const maybe = ["undefined", "text"];
const takenOf = (place: string) =>
  Object.fromEntries(
    Object.entries({
      appId: maybe,
      region: optional,
      name: maybe,
      engine: optional,
      roles: list,
      "roles.0.role": text,
      "roles.0.name": text,
      users: list,
      "users.0.uid": text,
      "users.0.name": maybe,
      "users.1.uid": text,
      "users.2.uid": text,
      "users.0.role": optional,
      "users.0.tags": list,
      "users.0.tags.0": anyText,
      "users.0.metadata": ["undefined", "object", "bare", "circular"],
      "users.0.metadata.a": anything,
      groups: list,
      "groups.0.guid": text,
      "groups.0.name": maybe,
      "groups.0.type": optional,
      // Whom a group names must be there; one such is made by another of these calls.
      "groups.0.owner": maybe,
      "groups.0.members": ["undefined", "object", "bare"],
      webhooks: list,
      "webhooks.0.username": maybeText,
      "webhooks.0.password": maybeText,
      "webhooks.0.retryOnFailure": ["undefined", "true"],
      bots: list,
      "bots.0.uid": text,
      "bots.0.name": maybe,
      "bots.0.url": optional,
      "bots.0.groupMessages": optional,
    }).map(([name, right]) => [`${place}.${name}`, right]),
  );
const freeOf = (place: string) => [`${place}.users.0.metadata`, `${place}.groups.0.members`];
/** Of an app that there is not, and of ids that nothing has, the platform tells in its own words. */
const app = { 0: ["undefined"] };
const message = { args: () => [id], takes: {} };

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
      ...{ 0: bag, "0.seed": ["undefined", "object", "bare", "instance", "date", "map", "promise"] },
      ...{ "0.port": ["undefined", "zero"], "0.startsAt": optional, "0.switches": bag },
      "0.switches.receiptsToAll": ["true"],
    },
  },
  "createPlatform, connection": {
    args: () => ["local-app", "fullAccess"],
    call: on(platform, "connection"),
    takes: { ...app, 1: optional },
  },
  "createPlatform, appUrl": { args: () => ["local-app"], call: on(platform, "appUrl"), takes: app },
  "createPlatform, user": {
    args: () => ["alice", "local-app"],
    call: on(platform, "user"),
    // Whether there is such an app is asked when the user does something.
    takes: { 0: text, 1: maybeText },
  },
  "createPlatform, messages": { args: () => ["local-app"], call: on(platform, "messages"), takes: app },
  "createPlatform, simulate": {
    args: () => ["connect", { uid: "alice", deviceId: "web", platform: "web" }, "local-app"],
    call: on(platform, "simulate"),
    takes: { "1.deviceId": maybeText, "1.platform": maybeText, 2: optional },
  },
  "createPlatform, add": {
    args: () => [contents()],
    call: on(platform, "add"),
    free: freeOf("0"),
    takes: { ...takenOf("0"), 0: ["object", "bare", "instance", "date", "map", "promise"] },
  },
  "createPlatform, reset": {
    args: () => [contents()],
    call: async (...args) => {
      await Reflect.apply(platform.reset, platform, args);
      await platform.reset({ users: [{ uid: "alice" }, { uid: "bob" }], groups: [{ guid: "lobby" }] });
    },
    free: freeOf("0"),
    takes: { ...takenOf("0"), 0: ["undefined", "object", "bare", "instance", "date", "map", "promise"] },
  },
  "createPlatform, clock.advance": {
    args: () => ["1s"],
    call: on(platform.clock, "advance"),
    takes: { 0: ["zero"] },
  },
  "createPlatform, faults.add": {
    args: () => [
      { on: "request", operationId: "send-message", fault: "latency", count: 1, probability: 1, delayMs: 1 },
    ],
    call: on(platform.faults, "add"),
    takes: {
      ...{
        "0.operationId": optional,
        "0.count": ["undefined", "zero"],
        "0.probability": ["undefined", "zero"],
      },
      "0.delayMs": ["undefined", "zero"],
    },
  },
  "createPlatform, journal.requests": {
    args: () => [{ operation: "send-message", status: 200 }],
    call: on(platform.journal, "requests"),
    takes: { 0: bag, "0.operation": anything, "0.status": anything },
  },
  "createPlatform, journal.deliveries": {
    args: () => [{ trigger: "message_sent", state: "pending" }],
    call: on(platform.journal, "deliveries"),
    takes: { 0: bag, "0.trigger": anything, "0.state": anything },
  },
  "createPlatform, user.sends": {
    args: () => [{ to: "bob", text: "hi", metadata: { a: 1 }, tags: ["a"], body: { type: "text" } }],
    call: on(alice, "sends"),
    free: ["0.metadata", "0.body"],
    takes: {
      // Somebody of that name may be there by now.
      "0.to": text,
      ...{ "0.text": maybeText, "0.metadata": asJson, "0.metadata.a": plain },
      ...{ "0.tags": list, "0.tags.0": anyText, "0.body": asJson, "0.body.type": plain },
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
    takes: { 1: maybeText },
  },
  "createPlatform, user.calls": {
    args: () => [{ to: "bob", type: "audio" }],
    call: on(alice, "calls"),
    takes: { "0.type": optional, "0.to": text },
  },
};
