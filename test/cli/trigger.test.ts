import { beforeEach, describe, expect, it } from "vitest";
import { readSampleEvents } from "../../cli/trigger/fresh-delivery.ts";
import { findStandIns, replaceNames } from "../../cli/trigger/unknown-users.ts";
import { createChatClient } from "../../lib/chat/client.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

describe("trigger", () => {
  let lines = createWitness<string>();
  useChat({ log: (line) => lines.note(line) });

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

  it("puts users and groups of the app in the places of all that it does not have, in each sample", async () => {
    const { platform, app } = world;
    const ofApp = createChatClient({
      appId: app.appId,
      region: app.region,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: platform.appUrl(app.appId),
    });
    for (const { sample, body } of readSampleEvents()) {
      const found = await findStandIns(body, ofApp);
      const others = new Map(found.map(({ id, other = "" }) => [id, other]));

      const text = JSON.stringify(replaceNames(body, others));

      expect(new Set(others.values()), sample).toHaveProperty("size", others.size);
      expect(text, sample).not.toMatch(
        /"(\w+_)?(ann|bela|carla|dimitri|eun|order-helper|chess-club)(_\w+)?"/,
      );
    }
    const conversation = { conversationId: "ann_user_bela" };
    const others = new Map([
      ["ann", "support"],
      ["bela", "bob"],
    ]);
    expect(replaceNames(conversation, others)).toEqual({ conversationId: "bob_user_support" });
  });

  it.each([
    [
      "",
      0,
      "The app has no user ann, whom the sample names: alice takes the place.",
      ["local-app|message_sent"],
    ],
    [
      "alice",
      0,
      "The app has no user ann, whom the sample names beside what --set gives: ",
      ["local-app|message_sent"],
    ],
    ["alice", 0, "On message_sent act: auto-reply", ["local-app|message_sent"]],
    ["nobody-here", 3, "Name a user that it has: --set data.message.sender=<uid>", []],
  ])("sends nothing of an unknown sender: %j", async (sender, code, told, sent) => {
    const set = sender === "" ? [] : ["--set", `data.message.sender=${sender}`];

    const { exitCode, stderr, stdout } = await chat(["trigger message_sent --local", ...set], {
      answers: [true],
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(told) });
    expect(stdout.match(/local-app\|message_sent/g)?.slice(0, 1) ?? []).toEqual(sent);
  });

  it.each([
    ["user", "receiver=nosuch", "The app has no user nosuch", "--set data.message.receiver=<uid>"],
    ["group", "receiver=nosuch", "The app has no group nosuch", "--set data.message.receiver=<guid>"],
  ])("sends nothing to an unknown %s", async (type, receiver, said, remedy) => {
    const set = ["--set", `data.message.receiverType=${type}`, "--set", `data.message.${receiver}`];

    const refusal = await chat(["trigger message_sent --local --yes", ...set]);

    expectEnd(refusal, 3, said, remedy);
    expect(refusal.stdout).toBe("");
  });

  it("names the event that was meant, or all in order", async () => {
    const meant = await chat("trigger mesage_sent --local --yes");
    const unknown = await chat("trigger nothing-alike --local --yes");

    expectEnd(meant, 2, 'named "mesage_sent"', 'Did you mean "message_sent"?');
    expectEnd(unknown, 2, /The events: .*call_ended, .*message_sent, .*user_/);
  });

  it.each(
    [...Map.groupBy(readSampleEvents(), ({ family }) => family)].map(
      ([family, [first]]) => [family, first?.trigger] as const,
    ),
  )("sends a delivery of the family %s that is accepted and understood: %s", async (_family, event) => {
    expect(await chat(`trigger ${event} --local --yes --json`)).toMatchObject({
      exitCode: 0,
      json: [{ event, problems: [], sent: [{ status: 200 }] }],
    });
  });

  it("shows the answer to a question, which leaves no event to trace", async () => {
    const asked = await chat("trigger before_message --local --yes");
    const sent = await chat("trigger message_sent --local --yes");

    expect(asked.stdout).toMatch(/^accepted {2}local-app\|before_message\S*\n {2}\S.*\n$/);
    expect(sent.stdout).toContain("trace --local 'local-app|message_sent|");
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
