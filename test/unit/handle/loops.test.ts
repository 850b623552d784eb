import { describe, expect, it, onTestFinished } from "vitest";
import { welcome } from "../../../functions/triggers/index.ts";
import { createAutoReply } from "../../../lib/behaviours/replies/create-auto-reply.ts";
import { openConnection } from "../../../lib/chat/compose.ts";
import { sameForEveryApp } from "../../../lib/chat/settings-from.ts";
import { onTrigger, type TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import type { Switches } from "../../../local/platform/services/switches.ts";
import { putWebhook } from "../../../local/stack/put-webhook.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";
import { createAttemptWorld, startMs } from "./attempt-world.ts";

const [app] = defaultSeed.apps;
const rules = {
  rules: [
    { receiver: "support", text: "support answers" },
    { receiver: "sales", text: "sales answers" },
    { group: "lobby", as: "support", when: { words: ["help"] }, text: "I am support, and here to help." },
    { group: "lobby", as: "sales", text: "I am sales." },
  ],
};

/** The emulated platform, whose webhooks are handled as the consumer handles them, one after the other. */
async function createWorld(switches: Partial<Switches>, triggers?: TriggerTable) {
  const seed = { ...defaultSeed, apps: [{ ...app, agents: [{ uid: "helper-ai", name: "Helper" }] }] };
  const platform = await createPlatform({ seed, switches });
  onTestFinished(() => platform.close());
  const bodies: object[] = [];
  const { url } = await startLoopbackServer((request, response) => {
    bodies.push(JSON.parse(request.body));
    response.end("{}");
  });
  const triggerIds = ["message_sent", "group_member_added"];
  await putWebhook(platform, app.appId, { url, username: "u", password: "p", triggerIds });
  const world = createAttemptWorld(
    triggers ?? { "auto-reply": createAutoReply(sameForEveryApp(rules)), welcome },
    {
      connectionOf: async () =>
        openConnection({
          appId: app.appId,
          region: "us",
          apiKey: app.fullAccessKey,
          now: () => startMs,
          baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
        }),
    },
  );
  const call = async (method: string, path: string, body: object, as?: string) => {
    const headers = {
      apikey: app.fullAccessKey,
      "content-type": "application/json",
      ...(as && { onBehalfOf: as }),
    };
    const response = await fetch(`${platform.appUrl(app.appId)}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  };
  await call("POST", "/users", { uid: "sales", name: "Sales" });

  return {
    ...world,
    call,
    say: (
      sender: string,
      receiver: string,
      text: string,
      more: { metadata?: object; tags?: string[] } = {},
    ) => {
      const receiverType = receiver === "lobby" ? "group" : "user";
      const { metadata = {}, ...rest } = more;
      const data = { text, metadata };
      return call("POST", "/messages", { receiver, receiverType, type: "text", data, ...rest }, sender);
    },
    /** The newest message, as its event has it. */
    newest: () => Object(bodies.at(-1)).data.message,
    /** Handles webhooks until none arrives, up to a limit. Returns senders and texts. */
    settle: async () => {
      for (let handled = 0; handled < 500; handled += 1) {
        await platform.idle();
        const body = bodies[handled];
        if (body === undefined) break;
        expect(await world.attempt(body)).toEqual({ kind: "done" });
      }
      const said = bodies.flatMap((body) => {
        const { message } = (body as { data: { message?: { sender: string; data: { text: string } } } }).data;
        return message === undefined ? [] : [`${message.sender}: ${message.data.text}`];
      });
      const passedOver = world.counted.filter(([name]) => name === "EventPassedOver");
      return { said, passedOver: passedOver.map(([, dimensions]) => Object(dimensions).reason) };
    },
  };
}

it("an account passes over messages of a user whom it blocked", async () => {
  const { call, say, settle } = await createWorld({});
  await call("POST", "/users/support/blockedusers", { blockedUids: ["alice"] });

  await say("alice", "support", "What is the price?");
  const { said, passedOver } = await settle();

  expect(said).toEqual(["alice: What is the price?"]);
  expect(passedOver).toEqual(["blocked"]);
});

it("no account answers an AI agent, whatever it writes", async () => {
  const { say, settle } = await createWorld({});

  await say("sales", "helper-ai", "hi");
  await say("helper-ai", "sales", "an ordinary message");
  const { said, passedOver } = await settle();

  expect(said.toSorted()).toEqual(["helper-ai: an ordinary message", "helper-ai: hi", "sales: hi"]);
  expect(passedOver).toEqual(["category", "category"]);
});

describe("a sender that copies the mark of a message sent on the sender's behalf", () => {
  it.each([
    [
      "each message, if the trigger also checked the marked one",
      ["fool", "Monday"],
      ["You fool", "fool, again"],
    ],
    ["all messages but the first, if no trigger checked the marked one", ["fool"], ["fool, again"]],
  ])("is handled in %s", async (_which, words, handled) => {
    const heard: string[] = [];
    const inLobby = { receiver: "lobby", receiverType: "group" } as const;
    const isAway = { where: { text: { words: ["away"] } } };
    const { say, newest, settle } = await createWorld(
      {},
      {
        absent: onTrigger("message_sent", isAway, async ({ event, effects }) => {
          const onBehalfOf = event.message.sender;
          await effects.sendText("note", { ...inLobby, onBehalfOf, text: "Until Monday." });
        }),
        watch: onTrigger("message_sent", { where: { text: { words } } }, async ({ event }) => {
          heard.push(event.message.data.text ?? "");
        }),
      },
    );
    await say("alice", "lobby", "I am away");
    await settle();
    const { tags, data } = newest();
    expect(data).toMatchObject({ text: "Until Monday.", metadata: { automatic: true } });

    await say("alice", "lobby", "You fool", { tags, metadata: data.metadata });
    await say("alice", "lobby", "fool, again", { tags, metadata: data.metadata });
    await settle();

    expect(heard).toEqual(handled);
  });
});

describe.each(["kept", "stripped"] as const)(
  "two accounts that answer, with marks that are %s in webhooks",
  (marks) => {
    const switches = { messageMarksInWebhooks: marks };

    it("never answer each other", async () => {
      const { say, settle } = await createWorld(switches);

      await say("sales", "support", "a person at this account asks");
      const { said, passedOver } = await settle();

      expect(said).toEqual(["sales: a person at this account asks", "support: support answers"]);
      expect(passedOver).toEqual(["own-message"]);
    });

    it("never answer each other or each other's welcomes in a group", async () => {
      const { call, say, settle } = await createWorld(switches);
      await call("POST", "/groups/lobby/members", { participants: ["sales", "bob"] });
      await say("alice", "lobby", "help");

      const { said, passedOver } = await settle();

      expect(said.filter((line) => line.startsWith("sales"))).toEqual([]);
      expect(said.filter((line) => line.startsWith("support"))).toHaveLength(2);
      expect(passedOver).toEqual(["own-message", "own-message"]);
    });

    it("answer a person that uses one of the accounts", async () => {
      const { say, settle } = await createWorld(switches);
      await say("alice", "support", "hi");
      await settle();

      await say("support", "sales", "a person at this account asks", {
        tags: ["automatic"],
        metadata: { automatic: true },
      });

      expect((await settle()).said.at(-1)).toBe("sales: sales answers");
    });
  },
);
