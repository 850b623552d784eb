import { describe, expect, it } from "vitest";
import { bots } from "../../../../lib/chat/resources/bots.ts";
import { users } from "../../../../lib/chat/resources/users.ts";
import { botsSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { startApp, startApps, testFacts, testSecrets, toDoOf, toldOf } from "../../../helpers/app-apis.ts";

const declare = (bot: object, rest: object = {}) => ({ bots: { bots: [{ uid: "robot", ...bot }], ...rest } });
const named = declare({ name: "Robot" });

function startOne(network = {}) {
  const { apis, requests } = startApp(network);
  return { apis, requests, ...apis.chat.using({ bots, users }) };
}

describe("bots as code", () => {
  it("creates the user and a bot that calls this deployment with the app's credentials", async () => {
    const { apis, bots, users } = startOne();

    const outcomes = await apis.apply(named);

    expect(toldOf(outcomes)).toEqual(["created bot robot"]);
    expect((await users.get("robot")).name).toBe("Robot");
    expect(await bots.get("robot")).toEqual({
      uid: "robot",
      webhookURL: testFacts.webhookUrl,
      groupChatSetting: "none",
      enabled: true,
      useBasicAuth: true,
      username: "platform",
      password: "abc123",
      createdAt: expect.any(Number),
    });
  });

  it("creates no user without a name, and uses an existing user unchanged", async () => {
    const { apis, users } = startOne();

    const missing = await apis.apply(declare({}));
    await users.create({ uid: "robot", name: "Somebody" });
    const there = await apis.apply(declare({}));
    const renamed = await apis.plan(named);

    expect(missing).toMatchObject([
      { outcome: "failed", cause: expect.stringContaining("ERR_UID_NOT_FOUND") },
    ]);
    expect(toldOf(there)).toEqual(["created bot robot"]);
    expect(toDoOf(renamed)).toEqual(["update bot robot: name"]);
  });

  it("names the cause if the bot's user is deactivated", async () => {
    const { apis, users } = startOne();
    await apis.apply(named);
    await users.delete("robot");

    expect(await apis.apply(named)).toMatchObject([
      { outcome: "failed", cause: expect.stringContaining("is deactivated") },
    ]);
  });

  it("reuses the user of an earlier run that failed to create the bot", async () => {
    let isDown = true;
    const { apis, users } = startOne({
      before: ({ url, method }: Request) =>
        isDown && method === "POST" && url.endsWith("/bots") ? Response.error() : undefined,
    });

    const ended = await apis.apply(named).catch(() => []);
    isDown = false;

    expect((await users.get("robot")).name).toBe("Robot");
    expect(toldOf(ended)).not.toContain("created bot robot");
    expect(toldOf(await apis.apply(named))).toEqual(["created bot robot"]);
  });

  it("switches a bot and its credentials off", async () => {
    const { apis, bots } = startOne();
    await apis.apply(named);
    const off = declare({ url: "https://elsewhere.example.com/", enabled: false });

    await apis.apply(off);

    const { enabled, useBasicAuth } = await bots.get("robot");
    expect([enabled, useBasicAuth]).toEqual([undefined, undefined]);
    expect(await apis.toDo(off)).toEqual([]);
  });

  it("deletes a bot that is declared absent, and keeps its user", async () => {
    const { apis, bots, users } = startOne();
    await apis.apply(named);
    const absent = { bots: { bots: [], absent: ["robot"] } };

    const held = await apis.plan(absent);
    const outcomes = await apis.apply(absent, { switches: { mayDelete: true } });

    expect(held.steps.map(({ action }) => action)).toEqual(["held"]);
    expect(toldOf(outcomes)).toEqual(["deleted bot robot"]);
    expect(await Array.fromAsync(bots.list())).toEqual([]);
    expect((await users.get("robot")).name).toBe("Robot");
  });

  it("exports no bot without an address, and adds a declared address", async () => {
    const { apisOf } = startApps();
    const apis = apisOf("local-app"); // its seed has such a bot

    expect(await apis.contents()).toMatchObject({ bots: { bots: [] } });
    expect(await apis.toDo({ bots: { bots: [{ uid: "helper" }] } })).toEqual([
      "update bot helper: webhookURL, useBasicAuth, username, password",
    ]);
  });

  it.each([
    ["named", { username: { secret: "botUsername" }, password: { secret: "botPassword" } }],
    ["not named", undefined],
  ])("gives a bot the secret's bot credentials, and does not export them: %s", async (_, credentials) => {
    const { apis, bots } = startOne();
    const secrets = { ...testSecrets, botUsername: "bot", botPassword: "bot789" };
    const declared = declare({ name: "Robot", ...(credentials && { credentials }) });

    await apis.apply(declared, { secrets });

    const { username, password } = await bots.get("robot");
    expect([username, password]).toEqual(["bot", "bot789"]);
    const { files } = await apis.export([botsSubject]);
    const shown = { uid: "robot", name: "Robot", groupChatSetting: "none", enabled: true };
    expect(files[0]?.content).toEqual({ bots: [shown] });
    expect(await apis.toDo({ bots: files[0]?.content }, { secrets })).toEqual([]);
  });

  it("names the half of a bot's credentials that the secret lacks", async () => {
    const { apis } = startOne();
    const plan = await apis.plan(named, { secrets: { ...testSecrets, botPassword: "bot789" } });

    expect(plan.steps.map(({ action, missingSecrets }) => [action, missingSecrets])).toEqual([
      ["blocked", ["botUsername"]],
    ]);
  });
});
