import { beforeEach, describe, expect, it } from "vitest";
import { findUnknownUsers, readSampleEvents } from "../../cli/trigger/fresh-delivery.ts";
import { createChatClient } from "../../lib/chat/client.ts";
import { createWitness } from "../../local/stack/witness.ts";
import type { World } from "../../local/stack/world.ts";
import { expectEnd, type RunChat } from "../helpers/run-chat.ts";
import { useChat } from "../helpers/use-chat.ts";

describe("trigger", () => {
  let lines = createWitness<string>();
  let world: World;
  let chat: RunChat;
  useChat(
    (made) => {
      world = made.world;
      chat = made.chat;
    },
    { log: (line) => lines.note(line) },
  );

  beforeEach(async () => {
    await world.reset();
    lines = createWitness();
  });

  it("sends a message that is handled, with what was set, and says who acts on it", async () => {
    const text = ["--set", "data.message.receiver=support", "--set", "data.message.data.text=hello"];
    const { exitCode, stdout, stderr } = await chat(["trigger message_sent --local", ...text, "--yes"]);
    const handled = await lines.first(
      (line) => (line.includes("handled an event") || line.includes("dead-letter") ? line : undefined),
      60_000,
    );

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^accepted {2}local-app\|message_sent\|\d+\n/);
    expect(stderr).toContain("On message_sent act: auto-reply");
    expect(handled).toContain(/message_sent\|\d+/.exec(stdout)?.[0]);
  });

  it("finds known users for both sides of a call, but none for a group", async () => {
    const { platform, app } = world;
    const { users } = createChatClient({
      ...{ appId: app.appId, region: app.region, apiKey: app.fullAccessKey },
      baseUrlTemplate: platform.appUrl(app.appId),
    });
    const call = { sender: "dimitri", receiver: "carla", receiverType: "user" };

    const both = await findUnknownUsers({ data: { call } }, users);
    const one = await findUnknownUsers({ data: { call: { ...call, sender: "alice" } } }, users);
    const ofGroup = await findUnknownUsers({ data: { call: { ...call, receiverType: "group" } } }, users);

    expect(both.map(({ uid }) => uid)).toEqual(["dimitri", "carla"]);
    expect(new Set(both.map(({ other }) => other)).size).toBe(2);
    expect(one).toEqual([
      { path: "data.call.receiver", uid: "carla", other: expect.not.stringMatching("alice") },
    ]);
    expect(ofGroup.map(({ uid }) => uid)).toEqual(["dimitri"]);
  });

  it.each([
    ["", 0, "The app has no user ann: alice takes the place.", ["local-app|message_sent"]],
    ["alice", 0, "On message_sent act: auto-reply", ["local-app|message_sent"]],
    ["nobody-here", 3, "Name a user that it has: --set data.message.sender=alice", []],
  ])("sends nothing of an unknown sender: %j", async (sender, code, told, sent) => {
    const set = sender === "" ? [] : ["--set", `data.message.sender=${sender}`];

    const { exitCode, stderr, stdout } = await chat(["trigger message_sent --local", ...set], {
      answers: [true],
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(told) });
    expect(stdout.match(/local-app\|message_sent/g)?.slice(0, 1) ?? []).toEqual(sent);
  });

  it.each(
    [...Map.groupBy(readSampleEvents(), ({ family }) => family)].map(
      ([family, [first]]) => [family, first?.trigger] as const,
    ),
  )("sends a delivery of the family %s that is accepted and understood: %s", async (_family, event) => {
    const { json, exitCode } = await chat(`trigger ${event} --local --yes --json`);

    expect(json).toMatchObject([{ event, problems: [], sent: [{ status: 200 }] }]);
    expect(exitCode).toBe(0);
  });

  it("sends facts of their own, as many as are asked for", async () => {
    const { json } = await chat("trigger call_unanswered --local --count 3 --yes --json");

    const [{ sent }] = json as [{ sent: { key: string }[] }];
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it("says what would go into quarantine", async () => {
    const broken = ["--set", "data.message.id=", "--set", "data.message.sender="];
    expectEnd(
      await chat(["trigger message_sent --local", ...broken, "--yes"]),
      1,
      "It would be quarantined: data.message.id",
    );
  });

  it("sends nothing where nobody agrees", async () => {
    expectEnd(await chat("trigger message_sent --local"), 3, "Send 1 message_sent to app local-app");
  });

  it.each([
    ["message_snet", 2, 'There is no sample of an event named "message_snet".'],
    ["message_sent --sample message-edited", 2, 'There is no sample "message-edited" of message_sent.'],
    ["message_sent --set data", 2, '--set cannot be "data".'],
    ["message_sent --set trigger.name=x", 2, "leads through a value that has no fields"],
    ["message_sent --app other", 6, "The deployment does not serve the app other."],
    ["message_sent --count 101", 2, "--count cannot be"],
  ])("refuses %j with exit code %i", async (args, exitCode, message) => {
    const ran = await chat(`trigger ${args} --local --yes`);

    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(exitCode);
  });
});
