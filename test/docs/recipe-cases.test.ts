import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { events, runRequest, runTrigger, type TriggerOutcome } from "cometchat-functions/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf } from "../helpers/project-copy.ts";
import { writeFiles } from "../helpers/write-files.ts";

// Cases that the recipes' own tests leave out for brevity.
const root = join(import.meta.dirname, "../..");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Writes the files of a recipe, and imports one of them. */
function importFrom(recipe: string, ...files: readonly string[]) {
  // Below the repository, so that the package's name resolves to its sources.
  mkdirSync(join(root, ".build"), { recursive: true });
  const folder = mkdtempSync(join(root, `.build/${recipe}-`));
  folders.push(folder);
  writeFiles(folder, blocksOf(`docs/recipes/${recipe}.md`));
  return Promise.all(files.map((file) => import(join(folder, "functions/own", file))));
}

const refused = (code: string) => Response.json({ error: { code, message: "No." } }, { status: 404 });
const members = { support: "participant" } as const;

describe("docs/recipes/link-spam.md", () => {
  let recipe: Awaited<ReturnType<typeof importFrom>>[number];
  beforeAll(async () => {
    [recipe] = await importFrom("link-spam", "link-spam.ts");
  });
  const says = (id: string, guid: string) =>
    events.messageSent({ id, sender: "eve", guid, text: `Win at https://spam.example/${id}` });
  const pathsOf = ({ requests, isHandled, failures }: TriggerOutcome) => {
    expect([isHandled, failures]).toEqual([true, 0]);
    return requests.flatMap(({ path, status }) => (status === 200 ? [path] : []));
  };

  it("counts links that edits add, and each message once", async () => {
    const sent = (id: string) => events.messageSent({ id, sender: "eve", guid: "a", text: "hello" });
    const edits = (id: string, text: string) => events.messageEdited({ id, sender: "eve", guid: "a", text });
    const link = "look: www.spam.example";
    const later = [
      { after: "10s", event: edits("1", "https://spam.example/1, really") },
      { after: "20s", event: edits("1", "https://spam.example/1, yes") },
      { after: "21s", event: sent("2") },
      { after: "22s", event: sent("3") },
      { after: "30s", event: edits("2", link) },
      { after: "40s", event: edits("3", link) },
    ] as const;

    const { requests, failures } = await runTrigger(recipe.linkSpam, says("1", "a"), { later });

    const acts = requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
    expect({ acts, failures }).toEqual({ acts: ["DELETE /messages/3"], failures: 0 });
  });

  it.each([
    ["/flagged", "ERR_MESSAGE_ID_NOT_FOUND"],
    ["/members", "ERR_GUID_NOT_FOUND"],
  ])("flags nothing that was deleted: %s", async (path, code) => {
    const answer = ({ method, url }: Request) =>
      method === "POST" && url.endsWith(path) ? refused(code) : undefined;
    const later = [
      { after: "10s", event: says("2", "b") },
      { after: "20s", event: says("3", "c") },
      { after: "5min", event: says("4", "a") },
    ] as const;

    const outcome = await runTrigger(recipe.linkSpam, says("1", "a"), { later, answer });

    expect(pathsOf(outcome)).toContain("/messages/3");
    expect(pathsOf(outcome)).not.toContain("/messages/4/flagged");
  });

  it.each([
    ["https://good.example,x:y@spam.example", "spam.example"],
    ["https://spam.example./", "spam.example"],
    ["https:\\\\spam.example", "spam.example"],
    ["https://ｓｐａｍ。example", "spam.example"],
    ["https://spam.example:8443?a=b", "spam.example"],
    ["https://3232235777/", "192.168.1.1"],
    ["https://sp%61m.example%3cbr", "spam.example"],
    ["https://spam.example、見て", "spam.example"],
    ["https://spam\u200b.example\u2060", "spam.example"],
    ["https://spam.example/www.fine.example", "spam.example"],
  ])("finds the host in %s", (text, host) => {
    expect(recipe.hostsIn(text)).toEqual([host]);
  });

  it("finds every host once, and no host in a text without one", () => {
    const several = "https://a.examplehttps://b.example http://A.example/?u=1";

    expect(recipe.hostsIn(several)).toEqual(["a.example", "b.example"]);
    expect(recipe.hostsIn("a.example, https://, awww. so nice, http:// x, https://[::1")).toEqual([]);
  });
});

describe("docs/recipes/out-of-office.md", () => {
  it("answers once for each of two absent users who write to each other", async () => {
    const [{ outOfOffice }] = await importFrom("out-of-office", "out-of-office.ts");
    const says = (id: string, sender: string, receiver: string, text: string) =>
      events.messageSent({ id, sender, receiver, text });

    const { sent } = await runTrigger(outOfOffice, says("1", "bela", "assistant", "/away Back on Monday"), {
      later: [
        { after: "1min", event: says("2", "ann", "assistant", "/away On holiday") },
        { after: "2min", event: says("3", "ann", "bela", "Please call me") },
        { after: "3min", event: says("4", "bela", "ann", "Please write") },
        { after: "4min", event: says("5", "ann", "bela", "Later") },
        { after: "5min", event: says("6", "bela", "ann", "Fine") },
      ],
    });

    const answers = sent.filter(({ from }) => from !== "assistant");
    expect(answers.map(({ to, text }) => [to, text])).toEqual([
      ["ann", "Back on Monday"],
      ["bela", "On holiday"],
    ]);
  });
});

describe("docs/recipes/support-hours.md", () => {
  let recipe: Awaited<ReturnType<typeof importFrom>>[number];
  beforeAll(async () => {
    [recipe] = await importFrom("support-hours", "support-hours.ts");
  });
  const says = (id: string, sender: string) =>
    events.messageSent({ id, sender, guid: "support-eu", text: "Hello?" });
  const groups = ["agents", "support-eu"].map((guid) => ({ guid, members }));
  const clock = new Date("2026-01-02T18:30:00Z"); // a Friday
  const run = (first: object, more: object = {}) =>
    runTrigger(recipe.supportHours, first, {
      app: { groups },
      flows: [recipe.remindAtOpening],
      clock,
      ...more,
    });
  const back = "We are back on 2026-01-05 at 9:00 UTC.";
  const waits = (uid: string) => `${uid} waits in support-eu.`;

  it("sends a reminder about each customer who writes", async () => {
    const { sent } = await run(says("1", "ann"), { later: [{ after: "10min", event: says("2", "bea") }] });

    expect(sent.map(({ text }) => text).toSorted()).toEqual([back, back, waits("ann"), waits("bea")]);
  });

  it("does not announce an opening in the past, and sends its reminder immediately", async () => {
    const late = await run(says("1", "ann"), { clock: new Date("2026-01-05T08:55:00Z"), ageMs: 50 * 60_000 });

    expect(late).toMatchObject({ isHandled: true, sent: [{ to: "agents", text: waits("ann") }] });
    expect(late.sent).toHaveLength(1);
  });

  it("does not answer a message that was sent while support was open, and received later", async () => {
    const sentAt = Date.parse("2026-01-02T16:50:00Z") / 1000;
    const event = events.messageSent({ id: "1", sender: "ann", guid: "support-eu", sentAt });
    const late = await run(event, { clock: new Date("2026-01-02T17:12:00Z") });

    expect(late).toMatchObject({ isHandled: true, sent: [] });
  });
});

describe("docs/recipes/trial-tips.md", () => {
  let tips: Awaited<ReturnType<typeof importFrom>>[number];
  let started: typeof tips;
  beforeAll(async () => {
    [tips, started] = await importFrom("trial-tips", "trial-tips.ts", "trial-started.ts");
  });
  const report = (timeZone: string) =>
    runRequest(
      started.handler,
      {
        path: "/trial-started/app-1",
        headers: { authorization: `Basic ${btoa("shop:a-long-password")}` },
        body: { uid: "alice", timeZone },
      },
      {
        secrets: { shopUsername: "shop", shopPassword: "a-long-password" },
        flows: [tips.trialTips],
        clock: new Date("2026-03-27T20:00:00Z"),
      },
    );

  it("counts calendar days of the time zone", () => {
    const late = new Date("2026-03-28T22:30:00Z"); // half past eleven at night, before the clocks change
    const days = [1, 3, 7].map((day) =>
      tips.nineOClock(late, day, "Europe/Berlin").toISOString().slice(0, 16),
    );

    expect(days).toEqual(["2026-03-29T07:00", "2026-03-31T07:00", "2026-04-04T07:00"]);
    expect(tips.nineOClock(new Date("2026-11-01T00:00:00Z"), 1, "Pacific/Auckland").toISOString()).toBe(
      "2026-11-01T20:00:00.000Z",
    );
  });

  it.each([
    ["US/Eastern", 200],
    ["GMT", 200],
    ["EST", 400],
    ["Etc/GMT+2", 400],
  ])("responds to the time zone %s with %i", async (timeZone, status) => {
    expect((await report(timeZone)).status).toBe(status);
  });
});

describe("docs/recipes/ticket-by-http.md", () => {
  it("sends an answer of 9,000 bytes, and refuses a longer one", async () => {
    const [{ handler, ticketAnswer }] = await importFrom("ticket-by-http", "ticket-answered.ts");
    const answer = (text: string) =>
      runRequest(
        handler,
        {
          path: "/ticket-answered/app-1",
          headers: { authorization: `Basic ${btoa("tickets:a-long-password")}` },
          body: { event: "answer-1", ticket: "T-1", text, reference: "support-eu" },
        },
        {
          secrets: { ticketUsername: "tickets", ticketPassword: "a-long-password" },
          app: { groups: [{ guid: "support-eu", name: "Support", members }] },
          flows: [ticketAnswer],
        },
      );

    const longest = await answer("é".repeat(4_499));
    const longer = await answer("é".repeat(4_500));

    expect([longest.status, longest.sent.length, longer.status]).toEqual([200, 1, 400]);
  });
});

describe("docs/recipes/refund-ticket.md", () => {
  it("notifies and opens a ticket although the message was deleted", async () => {
    const [{ refund, refundUnanswered }] = await importFrom("refund-ticket", "refund.ts");
    const asked = events.messageSent({ sender: "ann", guid: "support-eu", text: "I want a refund" });

    const { sent, requested } = await runTrigger(refund, asked, {
      app: { groups: ["on-call", "escalations"].map((guid) => ({ guid, name: guid, members })) },
      flows: [refundUnanswered],
      secrets: { ticketToken: "a-token" },
      allowedHosts: ["tickets.example.com"],
      answer: ({ method }) => (method === "GET" ? refused("ERR_MESSAGE_ID_NOT_FOUND") : undefined),
      attempts: 1,
    });

    expect([sent[0]?.to, requested.length]).toEqual(["on-call", 1]);
  });
});
