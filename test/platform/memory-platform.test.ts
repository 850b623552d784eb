import { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import {
  createMemoryPlatform,
  type MemoryPlatform,
  type MemoryPlatformOptions,
} from "../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { seedOfEvent } from "../../local/platform/seed-of-event.ts";
import { events } from "../../local/testing/events/events.ts";
import { app, startPlatform } from "./helpers.ts";

describe("createMemoryPlatform", () => {
  it("answers the client at the platform's own address, without a socket", async () => {
    const connect = vi.spyOn(Socket.prototype, "connect");
    onTestFinished(() => connect.mockRestore());
    const platform = makePlatform();
    const chat = clientOf(platform);

    const sent = await chat.messages.send(textTo("bob"), { onBehalfOf: "alice" });
    const found = await chat.messages.get(sent.id);

    expect(found).toMatchObject({ id: "1", sender: "alice", receiver: "bob", data: { text: "hi" } });
    expect(connect).not.toHaveBeenCalled();
  });

  it("answers with the same text as the platform behind a server", async () => {
    const served = await startPlatform();
    const platform = makePlatform();
    const request = sendRequest("alice", { ...textTo("nobody") });

    const [here, there] = await Promise.all([
      platform.fetch(`${platform.appUrl(app.appId)}/messages`, request),
      fetch(`${served.appUrl(app.appId)}/messages`, request),
    ]);

    const own = ["connection", "content-length", "date", "keep-alive"];
    const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => !own.includes(name));
    const names = (response: Response) => headersOf(response).map(([name]) => name);
    expect([here.status, names(here)]).toEqual([there.status, names(there)]);
    expect(await here.json()).toEqual(await there.json());
  });

  it("refuses a foreign host as a name that does not exist", async () => {
    const platform = makePlatform();

    const answer = platform.fetch("https://tickets.example.com/local-app.api-us/v3/users");

    await expect(answer).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ENOTFOUND" } });
  });

  it("offers the emulation's own interface", async () => {
    const platform = makePlatform();

    const answer = await platform.fetch(`${platform.url}/_platform/faults`, {
      method: "PUT",
      body: JSON.stringify({ seed: 5 }),
    });

    expect(await answer.json()).toMatchObject({ seed: 5 });
  });

  it("refuses requests after it is closed", async () => {
    const platform = makePlatform();

    await platform.close();

    await expect(countMessages(platform)).rejects.toThrow("fetch failed");
  });
});

describe("faults of a platform in memory", () => {
  it.each([
    ["dropBefore", 0, "fetch failed"],
    ["dropAfter", 1, "fetch failed"],
    ["truncate", 1, "terminated"],
  ] as const)("%s loses the answer with %s messages stored", async (fault, stored, message) => {
    const platform = makePlatform({ faults: { rules: [{ on: "request", fault, count: 1 }] } });

    const answer = post(platform, "alice", textTo("bob")).then((response) => response.text());

    await expect(answer).rejects.toThrow(message);
    expect(await countMessages(platform)).toBe(stored);
  });

  it("hang a planned request until the caller gives up", async () => {
    const rules = [{ on: "request", fault: "timeoutAfterExecuting", count: 1 }] as const;
    const platform = makePlatform({ faults: { rules } });
    const caller = new AbortController();

    const answer = post(platform, "alice", textTo("bob"), caller.signal);
    await vi.waitFor(async () => expect(await countMessages(platform)).toBe(1));
    caller.abort(new Error("The caller gave up."));

    await expect(answer).rejects.toThrow("The caller gave up.");
  });

  it("do not cancel a request whose caller gave up immediately", async () => {
    const platform = makePlatform();
    const caller = new AbortController();

    const answer = post(platform, "alice", textTo("bob"), caller.signal);
    caller.abort();

    await expect(answer).rejects.toThrow(/aborted/);
    await vi.waitFor(async () => expect(await countMessages(platform)).toBe(1));
  });

  it("do nothing for a caller that had given up before", async () => {
    const platform = makePlatform();

    const answer = post(platform, "alice", textTo("bob"), AbortSignal.abort());

    await expect(answer).rejects.toThrow(/aborted/);
    expect(await countMessages(platform)).toBe(0);
  });
});

describe("deliveries of a platform in memory", () => {
  it("are captured, answered or not", async () => {
    const answers = [{ status: 200 }];
    const webhooks = [{ id: "captured", url: "https://captured.invalid/", triggers: ["message_sent"] }];
    const seed = { ...defaultSeed, apps: [{ ...app, webhooks }] };
    const platform = makePlatform({ seed, receive: () => answers.shift() });
    platform.add({ appId: "shop", users: [{ uid: "ann", name: "Ann" }], webhooks });

    await post(platform, "alice", textTo("bob"));
    await clientOf(platform, "shop").messages.send(textTo("ann"));
    await platform.idle();

    expect(platform.captured.map(({ body }) => [body.trigger, body.appId, body.webhook])).toEqual([
      ["message_sent", "local-app", "captured"],
      ["message_sent", "shop", "captured"],
    ]);
    expect(platform.deliveries().map(({ state }) => state)).toEqual(["delivered", "pending"]);
  });

  it("are sent only to webhooks", async () => {
    const platform = makePlatform();

    await post(platform, "alice", textTo("bob"));
    await platform.idle();

    expect([platform.captured, platform.deliveries()]).toEqual([[], []]);
  });
});

describe("adding to a platform in memory", () => {
  it("creates the entities of an event, so that it can be answered", async () => {
    const platform = makePlatform();
    const body = events.messageSent({ id: "1001", sender: "ann", guid: "support-7", text: "refund" });

    platform.add(seedOfEvent(body));
    const chat = clientOf(platform, "app-1", "eu");
    await chat.reactions.add("1001", "👀", { onBehalfOf: "ann" });
    const reply = await chat.messages.send({ ...textTo("support-7"), receiverType: "group" });

    expect(Number(reply.id)).toBe(1002);
    expect((await chat.messages.get("1001")).data).toMatchObject({ text: "refund" });
  });

  it("leaves existing data unchanged, however often it is repeated", async () => {
    const platform = makePlatform();
    const body = events.messageSent({ id: "1001", sender: "ann", guid: "club", text: "first" });
    platform.add(seedOfEvent(body));
    const chat = clientOf(platform, "app-1", "eu");
    await chat.users.update("ann", { name: "Ann the Second" });
    await chat.messages.update("1001", { data: { text: "edited" } }, { onBehalfOf: "ann" });

    platform.add(seedOfEvent(body));

    expect(await chat.users.get("ann")).toMatchObject({ name: "Ann the Second" });
    expect((await chat.messages.get("1001")).data).toMatchObject({ text: "edited" });
    expect(await chat.groups.get("club")).toMatchObject({ membersCount: 1 });
  });

  it("keeps ids of new messages above those of added ones", async () => {
    const platform = makePlatform();
    platform.add(seedOfEvent(events.messageSent({ id: "500" })));
    platform.add(seedOfEvent(events.messageSent({ id: "20" })));

    const sent = await clientOf(platform, "app-1", "eu").messages.send(textTo("bela"));

    expect(sent.id).toBe("501");
  });
});

function makePlatform(options: MemoryPlatformOptions = {}): MemoryPlatform {
  const platform = createMemoryPlatform(options);
  onTestFinished(() => platform.close());
  return platform;
}

function clientOf(
  { fetch, keys }: MemoryPlatform,
  appId: string = app.appId,
  region: "us" | "eu" | "in" = "us",
) {
  return createChatClient({ appId, region, apiKey: keys.fullAccessKey, fetch });
}

function textTo(receiver: string) {
  return { receiver, receiverType: "user", category: "message", type: "text", data: { text: "hi" } } as const;
}

function sendRequest(onBehalfOf: string, body: object): RequestInit {
  return {
    method: "POST",
    headers: { apikey: app.fullAccessKey, onBehalfOf, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function post(platform: MemoryPlatform, as: string, body: object, signal?: AbortSignal): Promise<Response> {
  const url = `${platform.appUrl(app.appId)}/messages`;
  return platform.fetch(url, { ...sendRequest(as, body), ...(signal === undefined ? {} : { signal }) });
}

async function countMessages(platform: MemoryPlatform) {
  const answer = await platform.fetch(`${platform.appUrl(app.appId)}/messages`, {
    headers: { apikey: app.fullAccessKey },
  });
  const { data } = (await answer.json()) as { data: unknown[] };
  return data.length;
}
