import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { heldBackOf } from "../../lib/effects/health/breaker.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../lib/queue/lanes/outage-room.ts";
import { createWaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { type LocalServer, startLocalServer } from "../../local/cloud/local-server.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { lanesTableOf } from "../helpers/cloud-data.ts";
import { createProjectFolder, createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";

const project = createProjectFolder();
let cloud: Cloud;
let queues: LocalServer;
let chat: RunChat;
let setAside: ReturnType<typeof createSetAside>;

beforeAll(async () => {
  cloud = await startCloud();
  queues = await answerAtOnce(cloud.endpoints.AWS_ENDPOINT_URL_SQS);
  chat = createRunChat(project.folder, {
    ...cloud,
    endpoints: { ...cloud.endpoints, AWS_ENDPOINT_URL_SQS: queues.url },
  });
  setAside = createSetAside(cloud);
  await cloud.pauseConsumers(); // replayed events stay in the queue
});
afterEach(() => cloud.reset());
afterAll(async () => {
  await queues?.close();
  await cloud?.close();
  project.remove();
});

/** Passes calls to the queues without long polling, which would make the end of every look last a second. */
function answerAtOnce(sqs: string): Promise<LocalServer> {
  return startLocalServer(async (request, response) => {
    const body = (await text(request)).replace(/"WaitTimeSeconds":\d+/, '"WaitTimeSeconds":0');
    const { authorization = "", "content-type": type = "", "x-amz-target": target = "" } = request.headers;
    const headers = { authorization, "content-type": type, "x-amz-target": String(target) };
    try {
      const answer = await fetch(sqs, { method: "POST", headers, body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    } catch {
      request.socket.destroy();
    }
  });
}

function idOf(run: { readonly json: readonly unknown[] }) {
  const [result] = run.json as [{ messages: { id: string }[] }];
  return result.messages[0]?.id ?? "";
}

const dead = () => cloud.receiveAll("DeadLetterQueue").map(({ body }) => JSON.parse(body).key as string);
const back = () => cloud.receiveAll("EventsQueue").map(({ body }) => JSON.parse(body).key as string);

describe("dead-letters list", () => {
  it("shows dead letters with totals, and no text that a user wrote", async () => {
    await setAside.bury("1", { cause: "TypeError: no uid of \u202eevil" });
    await setAside.bury("2", { trigger: "message_edited", reason: "patience" });

    const { exitCode, stdout, stderr } = await chat("dead-letters list --local");

    expect(exitCode).toBe(0);
    expect(stderr).toContain("acts on the local stack");
    expect(stdout).toContain("2 dead letters\n");
    expect(stdout).toContain("by reasons   tries 1, patience 1");
    expect(stdout).toMatch(
      /local-app {2}message_sent {2}.*auto-reply.* tries +[0-9a-f-]{36} {2}TypeError: no uid of/,
    );
    expect(stdout).not.toContain("secret words");
    expect(stdout).not.toContain("\u202e");
    expect(cloud.queueDepth("DeadLetterQueue")).toMatchObject({ visible: 2, inFlight: 0 });
  });

  it("names the trigger that failed, and selects by it", async () => {
    await setAside.bury("1", {
      finished: ["welcome", "escalate", "forward"].map((name) => `message_sent ${name}`),
    });
    await setAside.bury("2", { finished: ["message_sent auto-reply"] });
    await setAside.bury("3", { reason: "too-old" });

    const { stdout } = await chat("dead-letters list --local --trigger auto-reply");
    const { json } = await chat("dead-letters list --local --trigger auto-reply --json");
    const replay = await chat("dead-letters replay --local --trigger auto-reply --yes --json");

    expect(stdout).toMatch(/local-app {2}message_sent {2}auto-reply {2}tries/);
    expect(stdout).toContain("by events    message_sent 1\n  by triggers  auto-reply 1\n");
    expect(json).toMatchObject([
      {
        selected: 1,
        byTrigger: { message_sent: 1 },
        byFailedTrigger: { "auto-reply": 1 },
        groups: [{ failedTriggers: ["auto-reply"] }],
        messages: [{ deliveryKey: "local-app|message_sent|1", failedTriggers: ["auto-reply"] }],
      },
    ]);
    expect(replay.json).toMatchObject([{ replayed: 1 }]);
    expect(back()).toEqual(["local-app|message_sent|1"]);
  });

  it.each(["list", "replay --yes"])("refuses an unknown name in %s", async (typed) => {
    await setAside.bury("1");

    expectEnd(
      await chat(`dead-letters ${typed} --local --trigger automatic-reply`),
      6,
      'There is neither a trigger nor an event of the platform called "automatic-reply".',
      "The deployment's triggers: auto-reply",
    );
  });

  it("shows groups of equal causes first, and prints the command that replays one", async () => {
    const refused = (uid: string) =>
      `ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND: The UID ${uid} does not exist.`;
    for (const uid of ["anna", "bela", "cleo"]) {
      await setAside.bury(uid, { reason: "permanent", cause: refused(uid) });
    }
    await setAside.bury("4");

    const { stdout, stderr } = await chat("dead-letters list --local");
    const { json } = await chat("dead-letters list --local --json --limit 1");
    const [, replay = ""] = /^A group of them: npx cometchat-functions (.*)$/m.exec(stderr) ?? [];
    const [, show = ""] = /^One of them: npx cometchat-functions (.*)$/m.exec(stderr) ?? [];
    const shown = await chat(show.split(" "));
    const replayed = await chat(replay.split(" "), { answers: [true] });

    const groupLines = stdout.split("\n").filter((line) => / ERR_UID_NOT_FOUND-[0-9a-f]{6} /.test(line));
    expect(groupLines).toEqual([
      expect.stringMatching(/^ +3 .* local-app {2}message_sent .* was refused with 404 ERR_UID_NOT_FOUND$/),
    ]);
    expect(json).toMatchObject([
      {
        groups: [
          { count: 3, appId: "local-app", trigger: "message_sent", reason: "permanent" },
          { count: 1, cause: "TypeError: no uid" },
        ],
      },
    ]);
    expect(JSON.stringify(json)).not.toMatch(/"cause":"[^"]*anna/);
    expect(shown.stdout).toContain("ERR_UID_NOT_FOUND: The UID cleo");
    expect(replayed.stdout).toContain("replayed 3 of 3 dead letters");
    expect(dead()).toEqual(["local-app|message_sent|4"]);
  });

  it("drops a group by its name, and distinguishes an unknown group from one that other options exclude", async () => {
    await setAside.bury("1");
    await setAside.bury("2", { cause: "TypeError: no guid" });
    const { json } = await chat("dead-letters list --local --json --text guid");
    const [{ groups }] = json as [{ groups: { name: string }[] }];
    const name = groups[0]?.name ?? "";

    const part = await chat("dead-letters drop --local --yes --cause TypeError");
    const listed = await chat("dead-letters list --local --cause TypeError");
    const unfit = await chat(["dead-letters drop --local --yes --user nobody --cause", name]);
    const dropped = await chat(["dead-letters drop --local --yes --cause", name]);

    expectEnd(part, 6, "No group is called TypeError.", "dead-letters list --local");
    expectEnd(
      listed,
      0,
      "No group is called TypeError.",
      "npx cometchat-functions dead-letters list --local",
    );
    expectEnd(unfit, 0);
    expect(unfit.stderr).not.toContain("No group is called");
    expectEnd(dropped, 0, `deleted 1 of 1 dead letter:\n  ${idOf({ json })}\n`);
    expect(dead()).toEqual(["local-app|message_sent|1"]);
  });

  it("lists no dead letters of an app that is not served", async () => {
    expectEnd(await chat("dead-letters list --local --app nosuch"), 6, "does not serve the app nosuch");
  });

  it("shows the newest if there are more than the limit", async () => {
    for (const name of ["1", "2", "3"]) await setAside.bury(name);

    const { stdout, json } = await chat("dead-letters list --local --limit 1 --json");
    const forReading = await chat("dead-letters list --local --limit 1");

    expect(json).toMatchObject([{ selected: 3, messages: [{ deliveryKey: "local-app|message_sent|3" }] }]);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(forReading.stdout).toContain("3 dead letters, the newest 1 of them here");
  });

  it("shows everything but the content, which --with-content adds", async () => {
    await setAside.bury("1", { finished: ["message_sent audit"] });
    const id = idOf(await chat("dead-letters list --local --json"));

    const plain = await chat(`dead-letters list ${id} --local`);
    const full = await chat(`dead-letters list ${id} --local --with-content --json`);

    expect(plain.stdout).toContain("replay skips message_sent audit");
    expect(plain.stdout).not.toContain("secret words");
    expect(plain.stderr).toContain("npx cometchat-functions trace --local 'local-app|message_sent|1'");
    expect(plain.stderr).toContain(`dead-letters list --local ${id} --with-content`);
    expectEnd(await chat("dead-letters list --local --with-content"), 2, "--with-content requires an id.");
    expect(full.json).toMatchObject([
      { message: { id, origin: "events", tries: 5 }, content: expect.stringContaining("secret words of 1") },
    ]);
  });

  it("reports that there are no dead letters", async () => {
    expectEnd(
      await chat("dead-letters list no-such --local"),
      6,
      "There is no dead letter with the id no-such",
    );
  });
});

describe("dead-letters replay", () => {
  it("counts, asks, and replays the selected ones", async () => {
    await setAside.bury("1");
    await setAside.bury("2", { appId: "school" });

    expectEnd(
      await chat("dead-letters replay --local --app local-app", {
        answers: [true],
      }),
      0,
      "1 dead letter selected, 1 would be replayed\n",
      "replayed 1 of 1 dead letter\n  the queue had about 2, and has about 1 now\n",
      "keep their order among themselves",
    );
    expect([dead(), back()]).toEqual([["school|message_sent|2"], ["local-app|message_sent|1"]]);
  });

  it("reports that replayed events may wait behind events that are held back", async () => {
    const table = lanesTableOf(cloud);
    const waitsFor = { destination: heldBackOf("chaos"), sinceMs: Date.now() };
    const pauseId = outageRoomOf(waitsFor);
    const { id, source, group, trigger } = laneOf("events", "g", "chaos");
    const waiter = { kind: "lane", source, group, trigger } as const;
    await createHealthStore(table, Date.now).noteWait("local-app", waitsFor.destination, waitsFor.sinceMs);
    await createWaitingRoom(table, Date.now).enter({ appId: "local-app", pauseId }, waiter);
    await createLaneStore(table, Date.now).park(id, { wakeAt: 0, heldBy: pauseId, head: undefined });
    await setAside.bury("1");

    expectEnd(
      await chat("dead-letters replay --local --yes"),
      0,
      "replayed 1 of 1",
      "Events of the trigger chaos of app local-app are held back: what was replayed may wait",
      "wake them: npx cometchat-functions resume hosts --app local-app --local",
    );
  });

  describe("with a queue that returns ten messages of a conversation at a time", () => {
    const move = async (key: string, trigger = "message_sent") => {
      const MessageBody = JSON.stringify({ v: 1, appId: "local-app", trigger, key, body: "{}" });
      const MessageDeduplicationId = key;
      await setAside.send("DeadLetterQueue", { MessageBody, MessageGroupId: "lane", MessageDeduplicationId });
    };
    const keys = Array.from({ length: 25 }, (_, number) => `k-${number}`);

    it("replays all that were there when it asked", async () => {
      for (const key of keys) await move(key);
      const answers = [
        async () => {
          await move("later");
          return true;
        },
      ];

      const rehearsal = await chat("dead-letters replay --local --dry-run");
      const ran = await chat("dead-letters replay --local", { answers });

      expectEnd(rehearsal, 0, "at least 10 dead letters selected, 10 would be replayed", "About 15 more");
      expectEnd(ran, 0, "replayed 25 of 25 dead letters", "About 15 more were not counted");
      expect([dead(), back()]).toEqual([["later"], keys]);
    });

    it("advises to run it again if some still could not be read", async () => {
      for (const key of keys.slice(0, 12)) await move(key, key === "k-4" ? "message_edited" : "message_sent");

      const ran = await chat("dead-letters replay --local --yes --trigger message_sent");

      expectEnd(ran, 7, "replayed 9 of 9 dead letters", "About 2 more could not be read", "Run it again");
      expect(dead()).toEqual(["k-4", "k-10", "k-11"]);
    });
  });

  it.each([
    ["the user declines", "", { answers: [false] }, 3],
    ["it is a dry run", "--dry-run --yes", {}, 0],
    ["it is a dry run of --all", "--all --dry-run --yes", {}, 0],
    ["--all is combined with a selection", "--all --app x --yes", {}, 2],
  ])("changes nothing when %s", async (_case, options, asked, code) => {
    await setAside.bury("1");

    expectEnd(await chat(`dead-letters replay --local ${options}`, asked), code);
    expect([dead(), back()]).toEqual([["local-app|message_sent|1"], []]);
  });

  it("keeps those that are too old, were passed over as too old, or cannot be read, and reports them", async () => {
    await setAside.bury("1", { receivedAt: Date.now() - 31 * 24 * 60 * 60_000 });
    await setAside.bury("2", { group: "" });
    await setAside.bury("3", { reason: "passed-over" });
    const replay = ["dead-letters", "replay", "--local", "--yes"];

    const { exitCode, stdout, stderr } = await chat(replay);
    const left = [dead().length, back()];
    const { json } = await chat([...replay, "--ignore-age", "--json"]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("1 stay: skipped as too old; --ignore-age replays them");
    expect(stderr).not.toContain("ended early");
    expect(left).toEqual([3, []]);
    expect(json).toMatchObject([
      { selected: 3, tooOld: 1, unreadable: 1, passedOver: 0, replayed: 1, before: 3, after: 2 },
    ]);
    expect(back()).toEqual(["local-app|message_sent|3"]);
  });

  it.each([
    ["passed-over", "--ignore-age"],
    ["trigger-off", "--include-off"],
  ])("prints for a group of %s a command that replays it", async (reason, option) => {
    await setAside.bury("1", { reason });

    const { stderr } = await chat("dead-letters list --local");
    const [, replay = ""] = /^A group of them: npx cometchat-functions (.*)$/m.exec(stderr) ?? [];
    await chat(`${replay} --yes`);

    expect(replay).toMatch(new RegExp(`^dead-letters replay --local --cause \\S+ ${option}$`));
    expect(back()).toEqual(["local-app|message_sent|1"]);
  });

  it("reports that it ended early if the queue fails halfway", async () => {
    for (let number = 0; number < 30; number += 1) await setAside.bury(String(number));
    const stderr = {
      isTerminal: true,
      write: (text: string) => {
        if (text.includes("replayed 10 of")) cloud.refuseQueue(80, { code: "AccessDenied", status: 403 });
      },
    };

    const { exitCode, json } = await chat("dead-letters replay --local --yes --json", { edges: { stderr } });
    cloud.refuseQueue(0);

    expect(exitCode).toBe(7);
    expect(json).toMatchObject([{ replayable: 30, failure: expect.stringContaining("AccessDenied") }]);
    expect(new Set([...back(), ...dead()]).size).toBe(30);
  });

  it.each([
    ["list", 2, 0, "About 1 more could not be read"],
    ["replay --yes", 1, 3, "Another reader holds about"],
    ["drop --all --yes", 1, 3, "Another reader holds about"],
  ])("changes nothing while another reader holds one: %s, of %s", async (words, letters, code, message) => {
    for (let name = 1; name <= letters; name += 1) await setAside.bury(String(name));
    await setAside.take("DeadLetterQueue", 1, 600);

    expectEnd(await chat(`dead-letters ${words} --local`), code, message);
    expect([dead().length, back()]).toEqual([letters, []]);
  });

  it("reports that a named one does not exist", async () => {
    expectEnd(await chat("dead-letters replay --local --id no-such --yes"), 6);
  });
});

describe("dead-letters drop", () => {
  it.each([
    ["nothing is selected", "", 2, "Select some, or add --all."],
    ["--all is combined with a selection", "--all --app x", 2, "--all cannot be combined"],
    ["the number differs from --expect", "--all --expect 2", 3, "1 are picked, and 2 were expected."],
    ["--expect is not a number", "--all --expect many", 2, '--expect cannot be "many"'],
  ])("deletes nothing when %s", async (_case, options, code, message) => {
    await setAside.bury("1");

    for (const how of ["--yes", "--dry-run"]) {
      const { exitCode, stderr } = await chat(`dead-letters drop --local ${how} ${options}`);

      expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(message) });
    }
    expect(dead()).toEqual(["local-app|message_sent|1"]);
  });

  it("deletes only what it counted before the question", async () => {
    await setAside.bury("1");
    const answers = [
      async () => {
        await setAside.bury("2");
        return true;
      },
    ];

    expectEnd(await chat("dead-letters drop --local --all", { answers }), 0, "deleted 1 of 1 dead letter:");
    expect(dead()).toEqual(["local-app|message_sent|2"]);
  });

  it("asks for the number if many would be deleted", async () => {
    for (let number = 0; number < 101; number += 1) await setAside.bury(String(number));
    const drop = ["dead-letters", "drop", "--local", "--all", "--yes"];

    const unasked = await chat(drop);
    const wrong = await chat(drop, { answers: ["100"] });
    const left = dead().length;
    const right = await chat(drop, { answers: ["101"] });

    expect([unasked.exitCode, wrong.exitCode, left]).toEqual([3, 3, 101]);
    expect(unasked.stderr).toContain("add --expect 101 --yes");
    expect([right.exitCode, dead()]).toEqual([0, []]);
  });
});

describe("quarantine", () => {
  const delivery = JSON.stringify({
    trigger: "message_sent",
    appId: "local-app",
    data: { message: { id: "1" } },
  });

  it("lists, shows, replays and drops deliveries that could not be parsed", async () => {
    await setAside.quarantine("no JSON: secret words", { reason: "not-json" });
    await setAside.quarantine(delivery);
    const list = await chat("dead-letters list --quarantine --local --json");
    const id = idOf(await chat("dead-letters list --quarantine --local --json --text not-json"));

    const groups = await chat("dead-letters list --quarantine --local");
    const plain = await chat(`dead-letters list ${id} --quarantine --local`);
    const show = await chat(`dead-letters list ${id} --quarantine --local --with-content --json`);
    const replay = await chat("dead-letters replay --quarantine --local --yes --json");
    const drop = await chat("dead-letters drop --quarantine --local --all --yes --json");

    expect(list.json).toMatchObject([{ selected: 2, byReason: { "not-json": 1, "not-understood": 1 } }]);
    expect(JSON.stringify(list.json)).not.toContain("secret words");
    expect(groups.stderr).toMatch(
      /^A group of them: \S+ \S+ dead-letters replay --local (--cause \S+ --quarantine)\nIf they still cannot be parsed: \S+ \S+ dead-letters drop --local \1$/m,
    );
    expect(plain.stderr).toContain(`dead-letters list --local ${id} --quarantine --with-content`);
    expect(show.json).toMatchObject([{ content: "no JSON: secret words" }]);
    expect(replay).toMatchObject({ exitCode: 1, json: [{ selected: 2, replayed: 0, unreadable: 2 }] });
    expect(drop.json).toMatchObject([{ selected: 2, after: 0 }]);
    expect(cloud.receiveAll("QuarantineQueue")).toEqual([]);
  });
});
