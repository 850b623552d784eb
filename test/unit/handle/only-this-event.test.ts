import { describe, expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { body, createAttemptWorld, hourMs, replying, startMs } from "./attempt-world.ts";

const destination = "app-1.api-eu.cometchat.io write";
const step = "message_sent reply";
const well = () => Response.json({ data: [] });
const failed = (status: number) => () => new Response("no", { status });
const refused = (status: number, code: string) => () => Response.json({ error: { code } }, { status });

/** A platform that fails to send, and answers reads as `onRead` does. */
function createWorld(onRead: () => Response = well, onWrite = failed(500), triggers = { reply: replying }) {
  const world = createAttemptWorld(triggers);
  world.platform.answer = (path) => (path === "/v3/users" ? onRead() : onWrite());
  const reads = () => world.requests.filter(({ method, path }) => method === "GET" && path === "/v3/users");
  return { ...world, reads };
}

describe("an event that may be the only one refused", () => {
  it("counts as such from the first 500, if a read of its app succeeds", async () => {
    const world = createWorld();

    const outcome = await world.attempt(body);

    expect(outcome).toHaveProperty("progress.alone", { [step]: { since: startMs, tries: 1 } });
    expect(world.reads()).toHaveLength(1);
  });

  it("costs one read for an attempt, however many of its steps fail", async () => {
    const triggers = { reply: replying, other: replying };
    const world = createWorld(well, failed(500), triggers);

    const outcome = await world.attempt(body);

    expect(outcome).toHaveProperty(["progress", "alone", "message_sent other"]);
    expect(world.reads()).toHaveLength(1);
  });

  it("does not count the read in the app's health", async () => {
    const world = createWorld();

    await world.attempt(body);

    const { destinations } = await world.healthStore.read("app-1");
    expect([...destinations]).toMatchObject([[destination, { ok: 0, bad: 1 }]]);
  });

  it.each([501, 503, 429, 403])("reads nothing after a %i", async (status) => {
    const world = createWorld(well, failed(status));

    const outcome = await world.attemptInTime(body);

    expect(outcome).toMatchObject({ kind: "wait" });
    expect(outcome).not.toHaveProperty("progress.alone");
    expect(world.reads()).toEqual([]);
  });

  it.each([500, 429, 403])("does not count as such after a read that is answered %i", async (status) => {
    const world = createWorld(failed(status));
    const alone = { [step]: { since: startMs - 2 * hourMs, tries: 8 } };

    const outcome = await world.attempt(body, { progress: { alone }, since: startMs - 2 * hourMs });

    expect(outcome).toMatchObject({ kind: "wait" });
    expect(outcome).not.toHaveProperty("progress.alone");
    expect(world.reads().length).toBeGreaterThan(0);
  });

  it("does not count as such, and reads nothing, while the destination fails another conversation", async () => {
    const world = createWorld();
    await world.healthStore.noteBad("app-1", destination, "events lane-2", startMs);

    const outcome = await world.attempt(body);

    expect(outcome).not.toHaveProperty("progress.alone");
    expect(world.reads()).toEqual([]);
  });

  const refusals = [
    [400, "ERR_SOMETHING_NEW"],
    [403, "ERR_PLAN_RESTRICTION"],
    [404, "ERR_API_NOT_FOUND"],
  ] as const;
  it.each(refusals)("counts as such if it is refused with %i %s, whatever others get", async (...no) => {
    const world = createWorld(well, refused(...no));
    await world.healthStore.noteBad("app-1", destination, "events lane-2", startMs);
    const alone = { [step]: { since: startMs - hourMs, tries: 8 } };
    await world.healthStore.noteOk("app-1", destination, 5, 20);
    const pending = { [step]: { destination, ok: 0, bad: 0 } };

    const outcome = await world.attempt(body, { progress: { alone, pending }, since: startMs - hourMs });

    expect(outcome).toMatchObject({ kind: "wait" });
    expect(outcome).toHaveProperty("progress.alone", { [step]: { since: startMs - hourMs, tries: 9 } });
  });

  it.each([
    [401, "AUTH_ERR_APIKEY_NOT_FOUND"],
    [403, "ERR_SUBSCRIPTION_EXPIRED"],
    [429, "ERR_TOO_MANY_REQUESTS"],
  ])("does not count as such after %i %s", async (...no) => {
    const world = createWorld(well, refused(...no));

    expect(await world.attemptInTime(body)).not.toHaveProperty("progress.alone");
    expect(world.reads()).toEqual([]);
  });

  it("counts as such while another lane of its own conversation fails", async () => {
    const world = createWorld();
    await world.healthStore.noteBad("app-1", destination, "events lane-1 other", startMs);

    expect(await world.attempt(body)).toHaveProperty("progress.alone");
  });

  it("reads nothing in shadow", async () => {
    const shadowed = new Set(["reply"]);
    const throwing = onTrigger("message_sent", async ({ chat }) => {
      await chat.messages.list({ limit: 1 }).page();
    });
    const world = createAttemptWorld({ reply: throwing }, { shadowed });
    world.platform.answer = (path) => (path === "/v3/users" ? well() : failed(500)());

    expect(await world.attemptInTime(body)).toEqual({ kind: "done" });
    expect(world.requests.some(({ path }) => path === "/v3/users")).toBe(false);
  });

  it("is dead-lettered after 90 minutes, with its real tries", async () => {
    const world = createWorld();
    const since = startMs - 1.5 * hourMs;
    const alone = { [step]: { since, tries: 8 } };

    expect(await world.attempt(body, { progress: { alone }, since })).toMatchObject({
      kind: "dead-letter",
      reason: "tries",
      progress: { tries: { [step]: 9 } },
    });
  });

  it("is tried for the last time when the 90 minutes end", async () => {
    const world = createWorld();
    const since = startMs - 85 * 60_000;
    const progress = { waits: 9, alone: { [step]: { since, tries: 8 } } };

    const outcome = await world.attempt(body, { progress, since });

    expect(outcome).toMatchObject({ kind: "wait", wakeAt: startMs + 5 * 60_000 });
  });

  it("restarts its 90 minutes after a pause, and after hours without a possible try", async () => {
    const world = createWorld();
    const alone = { [step]: { since: startMs - 5 * hourMs, tries: 3 } };

    const outcome = await world.attempt(body, { progress: { alone }, since: startMs });

    expect(outcome).toHaveProperty("progress.alone", { [step]: { since: startMs, tries: 4 } });
  });
});
