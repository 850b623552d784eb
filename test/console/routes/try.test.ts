import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TryCatalogue, TryDraft, TryExamination, TrySent } from "../../../local/console/api/try.ts";
import { isNight } from "../../helpers/by-day.ts";
import { useConsole } from "../../helpers/use-console.ts";

const consoleUnderTest = useConsole();
const ask = <Answer>(path: string, body?: object) =>
  consoleUnderTest.answer<Answer>(`/api/try/${path}`, body);
const send = (path: string, body?: object) => consoleUnderTest.send(`/api/try/${path}`, body);

async function draft(entry: string, sample: string) {
  const { body } = await ask<TryDraft>(`samples/${entry}/${sample}?app=local-app`);
  return JSON.stringify(body);
}

const once = { appId: "local-app", signer: "right", times: 1, isBurst: false, isFresh: false } as const;

describe("the console's routes of the view Try", () => {
  it("lists every event by family, and the two questions, each with its description", async () => {
    const { families } = await ask<TryCatalogue>("entries");
    const entries = families.flatMap((family) => family.entries);
    expect(families.map(({ title }) => title)).toEqual([
      ...["Questions", "Messages", "Users", "Groups", "Calls that ring", "Sessions of calls and meetings"],
      ...["Moderation", "Campaigns", "Legacy engine", "Bots, providers and extensions"],
    ]);
    expect(entries.length).toBeGreaterThanOrEqual(62);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { description, samples } of entries) {
      expect(description).toMatch(/^[A-Z].*[.?]$/);
      expect(samples.length).toBeGreaterThan(0);
    }
    expect(entries.find(({ id }) => id === "message_edited")).toMatchObject({
      description: "A message got a new text or new data.",
      samples: [{ words: "as documented" }, { name: "message-edited.live", words: "as seen live" }],
    });
    expect(families[0]?.entries.map(({ id }) => id)).toEqual(["before_message", "custom_moderation"]);
  });

  it.each([
    ["wrong", 401],
    ["none", 401],
  ])("is refused with %s credentials", async (signer, status) => {
    const text = await draft("message_sent", "message-sent");
    const { sent } = await ask<TrySent>("send", { ...once, signer, entry: "message_sent", text });
    expect(sent).toMatchObject([{ status }]);
  });

  it("sends a burst of separate occurrences", async () => {
    const many = { ...once, times: 5, isBurst: true, isFresh: true };
    const burst = (more: object) => ask<TrySent>("send", { ...many, ...more });
    const blocked = await draft("user_blocked", "user-blocked");
    const message = await draft("message_sent", "message-sent");
    // A second process may start too late.
    const { faults } = consoleUnderTest.world.cloud;
    faults.set({ concurrency: { webhook: 1 } });
    onTestFinished(() => faults.set({}));

    const fresh = await burst({ entry: "message_sent", text: message });
    const same = await burst({ isFresh: false, entry: "user_blocked", text: blocked });

    expect(new Set(fresh.sent.map(({ key }) => key)).size).toBe(5);
    expect(new Set(same.sent.map(({ key }) => key)).size).toBe(1);
    expect(new Set([...fresh.sent, ...same.sent].map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("sends invalid JSON unchanged", async () => {
    const { sent } = await ask<TrySent>("send", { ...once, entry: "message_sent", text: "{nothing" });
    expect(sent).toMatchObject([{ status: 200 }]);
    expect(sent[0]).not.toHaveProperty("key");
  });

  it("asks both questions, and shows the platform's reading of the answers", async () => {
    const sendBad = async (entry: string, sample: string) => {
      const text = (await draft(entry, sample)).replace(/"text":"[^"]*"/, '"text":"I will kill you"');
      return ask<TrySent>("send", { ...once, entry, text });
    };

    const decided = (entry: string, sample: string) =>
      vi.waitFor(async () => {
        const asked = await sendBad(entry, sample);
        expect(asked.verdict?.tone).toBe("bad");
        return asked;
      });

    const dropped = await decided("before_message", "legacy.before-message");
    const matched = await decided("custom_moderation", "custom-moderation");

    expect(dropped.verdict).toEqual({
      tone: "bad",
      words: "The message is dropped; its sender gets ERR_BLOCKED_BY_WEBHOOK.",
    });
    expect(matched.verdict?.words).toMatch(/^It matches with 90 %/);
    expect(dropped.url).toMatch(/\/before-message\/local-app$/);
    expect(matched.url).toMatch(/\/moderation\/local-app$/);
  });

  it("reports a text's mistakes with their place, and the missing resources", async () => {
    const text = await draft("message_sent", "message-sent");
    const of = { appId: "local-app", entry: "message_sent" };

    const whole = await ask<TryExamination>("examine", { ...of, text });
    const broken = await ask<TryExamination>("examine", { ...of, text: text.replace('"sender":"ann",', "") });
    const noJson = await ask<TryExamination>("examine", { ...of, text: "{" });

    expect(whole).toMatchObject({ trigger: "message_sent", problems: [] });
    expect(whole.missing).toEqual(["user ann", "user bela", expect.stringMatching(/^message \d+$/)]);
    expect(broken.problems).toEqual([{ path: "data.message.sender", words: "an id (text), not missing" }]);
    expect(noJson.problems).toEqual([{ path: "", words: "It is not JSON." }]);
  });

  it("creates an event's missing resources once", async () => {
    const text = await draft("group_member_added", "group-member-added");
    const of = { appId: "local-app", entry: "group_member_added", text };

    const made = await ask<{ words: string }>("missing", of);
    const again = await ask<{ words: string }>("missing", of);

    expect(made.words).toMatch(/group chess-club/);
    expect(again.words).toBe("Nothing was missing.");
    expect((await ask<TryExamination>("examine", of)).missing).toEqual([]);
  });

  it.runIf(isNight)("performs each available action, and the platform sends its event", async () => {
    const { families } = await ask<TryCatalogue>("entries");
    const able = families.flatMap(({ entries }) => entries).filter(({ action }) => action !== undefined);
    const { platform } = consoleUnderTest.world;
    const told = new Set<string>();
    const stop = platform.subscribe((record) => {
      if (record.type === "event") told.add(record.trigger);
    });
    const failed: object[] = [];
    for (const { id, samples } of able) {
      told.clear();
      const text = (await draft(id, samples[0]?.name ?? "")).replaceAll("chess-club", "go-club");
      const { status, body } = await send("action", { appId: "local-app", entry: id, text });
      if (status !== 200 || !told.has(id)) failed.push({ id, status, body, told: [...told] });
    }
    stop();
    expect(failed).toEqual([]);
    expect(able.length).toBeGreaterThanOrEqual(36);
  });

  it("lists the triggers that act", async () => {
    expect(await ask("actors/local-app/message_sent")).toMatchObject({
      acts: expect.arrayContaining(["auto-reply"]),
    });
  });

  it.each([
    ["samples/message_sent/nothing?app=local-app", undefined, 404, /There is no sample "nothing"/],
    ["samples/nothing/message-sent?app=local-app", undefined, 404, /There is no event or question "nothing"/],
    ["samples/message_sent/message-sent?app=other", undefined, 404, /The platform has no app other/],
    ["renew", { appId: "local-app", text: "[]" }, 400, /not a JSON object/],
    ["vary", { text: "{}", variation: "toString" }, 400, /no variation/],
    ["send", { ...once, entry: "message_sent", text: "{}", times: 101 }, 400, /times/],
    ["send", { ...once, entry: "message_sent", text: "{}", signer: "me" }, 400, /signer/],
    ["send", { ...once, appId: "../x", entry: "message_sent", text: "{}" }, 404, /no app/],
  ])("refuses %s %o", async (path, body, status, message) => {
    expect(await send(path, body)).toMatchObject({
      status,
      body: { error: { message: expect.stringMatching(message) } },
    });
  });
});
