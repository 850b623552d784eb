import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import { quarantinedDeliveries } from "../../lib/queue/quarantined-delivery.ts";
import type {
  JourneyCopies,
  JourneyDetail,
  JourneyList,
  TriggerRunView,
} from "../../local/console/api/journeys.ts";
import { operatorOf } from "../../local/console/operate.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyJourneysProject } from "../helpers/journeys-project.ts";
import { runVitest } from "../helpers/run-vitest.ts";
import { useConsole } from "../helpers/use-console.ts";
import { useWriters } from "../helpers/use-writers.ts";

const folder = await copyJourneysProject();
const console = useConsole({ cloud: { serviceFolder: folder } });

async function list(query: string): Promise<JourneyList> {
  const { body } = await console.ask(`/api/journeys?${query}`);
  return body as JourneyList;
}

async function show(id: string): Promise<JourneyDetail> {
  const { body } = await console.ask(`/api/journeys/${id}`);
  return body as JourneyDetail;
}

/** Waits until a message's journey meets a condition. */
async function journeyOf(
  messageId: string,
  isReady: (journey: JourneyDetail) => boolean,
): Promise<JourneyDetail> {
  let found: JourneyDetail | undefined;
  await expect
    .poll(async () => {
      const row = (await list(`message=${messageId}`)).rows.at(-1);
      found = row && (await show(row.id));
      return found !== undefined && isReady(found);
    })
    .toBe(true);
  if (found === undefined) throw new Error("There is no such journey.");
  return found;
}

const isDone = ({ row }: JourneyDetail) => row.verdict === "done";
const runOf = ({ handling }: JourneyDetail, handler: string): TriggerRunView | undefined =>
  handling
    .flatMap(({ attempts }) => attempts.flatMap(({ runs }) => runs))
    .findLast((run) => run.handler === handler);

const { post, write } = useWriters(console, "support");

describe("the journey of a message that is answered", () => {
  it("shows why each other trigger did nothing", async () => {
    const journey = await journeyOf(await write("What is the price now?"), isDone);

    expect(runOf(journey, "breaks")).toMatchObject({
      outcome: "condition",
      misfit: { condition: "text", wanted: { words: ["break"] }, found: "What is the price now?" },
    });
    expect(runOf(journey, "sleeps")).toMatchObject({ outcome: "off" });
    expect(runOf(journey, "looks")).toMatchObject({ outcome: "no-action", calls: [{ method: "GET" }] });
    expect(runOf(journey, "escalate")).toMatchObject({
      outcome: "no-action",
      why: "It ran and did nothing: the moderation did not block the message.",
    });
  });
});

describe("the journey of a message for which a trigger fails", () => {
  it("is retried immediately on request, before the planned time", async () => {
    const journey = await journeyOf(await write("please break boots"), ({ place }) => place?.kind === "lane");
    const { clock } = console.world;
    clock.freeze();
    onTestFinished(() => clock.unfreeze());
    const attemptsOf = async () => (await show(journey.row.id)).handling.flatMap(({ attempts }) => attempts);

    for (const tries of [1, 2]) {
      await expect.poll(async () => (await attemptsOf()).at(-1)?.verdict).not.toBe("running");
      const retry = async () => {
        // Refused until the consumer has parked the lane.
        await console.ask(`/api/journeys/${journey.row.id}/handle-again`, { method: "POST" });
        return (await attemptsOf()).length;
      };
      await expect.poll(retry, { interval: 500 }).toBeGreaterThan(tries);
    }
  });
});

describe("dead letters and quarantined deliveries", () => {
  it("are shown as dropped once the command dropped them; the others stay as they are", async () => {
    const { cloud, platform, webhook } = console.world;
    const { services } = operatorOf(cloud, () => platform.clock.now());
    const isThere = ({ place }: JourneyDetail) => place?.kind === "dead-letter";
    const dropped = await journeyOf(await write("please refuse the first"), isThere);
    const left = await journeyOf(await write("please refuse the second"), isThere);
    const authorization = `Basic ${btoa(`${webhook.username}:${webhook.password}`)}`;
    await fetch(webhook.url, { method: "POST", headers: { authorization }, body: "not JSON: dropped" });
    const titles = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await show(id)).row.title));
    const [quarantined] = (await list("")).rows;
    const ids = [dropped, left].map(({ row }) => row.id).concat(quarantined?.id ?? "");
    const before = await titles(ids);

    const { deliveryKey } = dropped.event;
    await deadLetters.drop({ selection: { deliveryKey } }, services);
    await quarantinedDeliveries.drop({ selection: {} }, services);

    expect(before).toEqual(["dead-lettered", "dead-lettered", "quarantined"]);
    expect(await titles(ids)).toEqual(["dropped", "dead-lettered", "dropped"]);
  });
});

describe("deliveries with equal bodies or origins", () => {
  it("show an event that is handled again as already done", async () => {
    const messageId = await write("What is the price, again?");
    const journey = await journeyOf(messageId, isDone);

    // The first handling ends a moment before the event leaves the queue.
    await expect
      .poll(async () => (await console.send(`/api/journeys/${journey.row.id}/handle-again`, {})).body)
      .toEqual({ message: "The event was sent to the queue again." });

    await expect
      .poll(async () => runOf(await show(journey.row.id), "auto-reply")?.outcome)
      .toBe("already-done");
    expect((await show(journey.row.id)).handling).toMatchObject([{ isReplay: false }, { isReplay: true }]);
    // The chat marks the message with its verdict.
    const marks = await console.ask(`/api/journeys/marks?app=local-app&ids=${messageId}`);
    expect(marks.body).toEqual({
      [messageId]: expect.objectContaining({ id: journey.row.id, verdict: "done" }),
    });
  });

  it("are from elsewhere if the platform did not send them, also refused and unreadable ones", async () => {
    const { url, username, password } = console.world.webhook;
    const send = (secret: string, body: string) =>
      fetch(url, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${username}:${secret}`)}`, "user-agent": "somebody/1" },
        body,
      });

    await send("wrong", '{"trigger":"message_sent","data":{"note":"wrong"}}');
    await send(password, '{"trigger":"message_sent","data":{"note":"unreadable"}}');
    await send(password, "no json");

    await expect.poll(async () => (await list("search=somebody/1")).counts).toMatchObject({ failed: 3 });
    const rows = await Promise.all((await list("search=somebody/1")).rows.map(({ id }) => show(id)));
    expect(rows.map(({ received }) => received[0]?.outcome)).toEqual(["quarantined", "stored", "refused"]);
    expect(rows[1]?.row.why).toContain("quarantine");
    expect(rows.every(({ origin }) => origin.kind === "elsewhere")).toBe(true);
  });
});

describe("ten conversations in one batch", () => {
  it.runIf(isNight)("keep their calls apart", async () => {
    const { world } = console;
    await world.cloud.pauseConsumers();
    const users = Array.from({ length: 10 }, (_, index) => `user-${index}`);
    for (const uid of users) await post("/users", { uid, name: uid });
    const message = { receiver: "support", receiverType: "user", type: "text", data: { text: "the price?" } };
    const ids = await Promise.all(users.map((uid) => post("/messages", message, uid)));
    await world.platform.idle();
    await expect.poll(async () => world.cloud.queueDepth("EventsQueue").visible).toBeGreaterThanOrEqual(10);
    world.cloud.resumeConsumers();

    const journeys = await Promise.all(ids.map((id) => journeyOf(id, isDone)));

    expect(new Set(journeys.map(({ handling }) => handling[0]?.attempts[0]?.requestId)).size).toBeLessThan(
      10,
    );
    for (const [place, journey] of journeys.entries()) {
      const [call] = runOf(journey, "auto-reply")?.calls ?? [];
      expect(call?.sent).toMatchObject({ text: expect.stringContaining(`"receiver":"user-${place}"`) });
      expect(runOf(journey, "looks")?.calls[0]?.path).toContain(`/users/user-${place}`);
    }
  });
});

describe("a journey's copied command", () => {
  it("runs unchanged, with the password in its environment", async () => {
    const journey = await journeyOf(await write('What\'s the price, "in" $HOME?'), isDone);
    const { curl } = (await console.ask(`/api/journeys/${journey.row.id}/copies`)).body as JourneyCopies;
    const { password } = console.world.webhook;
    const env = { ...process.env, WEBHOOK_PASSWORD: password };

    const output = await new Promise<string>((resolve) => {
      execFile("sh", ["-c", curl], { env }, (_, stdout) => resolve(stdout));
    });

    expect(curl).not.toContain(password);
    expect(output.split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
  });
});

describe("a journey's test", () => {
  it.runIf(isNight)("passes in its suggested file, and fails if the trigger's reply differs", async () => {
    const journey = await journeyOf(await write("What is the price?"), isDone);
    const { test = "" } = (await console.ask(`/api/journeys/${journey.row.id}/copies`)).body as JourneyCopies;
    const [, file = ""] = /^\/\/ Save as (\S+)/.exec(test) ?? [];
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), test);
    const wrong = "test/own/wrong.test.ts";
    writeFileSync(join(folder, wrong), test.replace("Thanks for asking", "Thanks for nothing"));

    const outcome = await runVitest(folder, [file, wrong]);

    expect(file).toBe("test/own/auto-reply.test.ts");
    expect(outcome).toMatchObject({ files: 2, passed: 1, failed: [expect.stringContaining(wrong)] });
  });
});

describe("a restored snapshot", () => {
  it("includes its deliveries' journeys, also of dead letters", async () => {
    const { snapshots, cloud } = console.world;
    const journey = await journeyOf(
      await write("please refuse this, too"),
      ({ row }) => row.verdict === "failed",
    );
    await expect.poll(async () => cloud.queueDepth("DeadLetterQueue").visible).toBeGreaterThan(0);
    await snapshots.save("with a dead letter");

    await snapshots.restore("with a dead letter");

    expect(await show(journey.row.id)).toMatchObject({
      row: { verdict: "failed", why: expect.stringContaining("It can never be done.") },
      place: { kind: "dead-letter" },
    });
  });
});

describe("a request for an unknown journey or filter", () => {
  it("is refused, or finds no journeys", async () => {
    expect(await console.ask("/api/journeys/d999999")).toMatchObject({ status: 404 });
    expect(await console.ask("/api/journeys?verdict=odd")).toMatchObject({ status: 400 });
    expect(await console.ask("/api/journeys?page=-1")).toMatchObject({ status: 400 });
    expect((await list("search=%00nothing")).rows).toEqual([]);
  });
});
