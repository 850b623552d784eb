import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineState } from "../../../lib/effects/state/define-state.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { derivedEvents } from "../../../local/testing/events/derived-events.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../local/testing/run-at-every-crash.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { letKitDecide } from "./kit-world.ts";

letKitDecide();

const thanks = onTrigger("message_sent", async ({ event, effects }) => {
  const { sender } = event.message;
  const message = { receiver: sender, receiverType: "user", onBehalfOf: "support", text: "Thanks!" } as const;
  await effects.sendText("thanks", message);
});

/** Sends without effects, which is a mistake. */
const careless = onTrigger("message_sent", async ({ event, chat }) => {
  const { sender: receiver } = event.message;
  const text = {
    receiver,
    receiverType: "user",
    category: "message",
    type: "text",
    data: { text: "Thanks!" },
  };
  await chat.messages.send(text as never, { onBehalfOf: "support" });
  await chat.users.get("support");
});

describe("runTrigger", () => {
  it("shows requests and sent messages with the platform's answers", async () => {
    const { sent, requests, isHandled, buried, failures } = await runTrigger(thanks, events.messageSent());

    expect(sent).toMatchObject([{ from: "support", to: "ann", text: "Thanks!" }]);
    expect(requests).toMatchObject([
      { method: "POST", path: "/messages", onBehalfOf: "support", status: 200 },
    ]);
    expect([isHandled, buried, failures]).toEqual([true, undefined, 0]);
  });

  it("sends once if the process dies after sending, because it finds its message again", async () => {
    const { sent, isHandled, requests } = await runTrigger(thanks, events.messageSent(), {
      crash: "after send",
    });

    expect([sent.length, isHandled]).toEqual([1, true]);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("shows an unsafe handler: a message sent without effects is sent again", async () => {
    const { sent } = await runTrigger(careless, events.messageSent(), { crash: "after send" });

    expect(sent).toHaveLength(2);
  });

  it("reports a crash that did not happen, and lists the possible ones", async () => {
    const run = runTrigger(thanks, events.messageSent(), { crash: "after DELETE /users/ann" });

    await expect(run).rejects.toThrow(/"after DELETE \/users\/ann" did not happen.*POST \/messages/);
  });

  it("refuses an invalid crash", async () => {
    const run = runTrigger(thanks, events.messageSent(), { crash: "during send" as never });

    await expect(run).rejects.toThrow('"during send" is no crash');
  });

  it("delivers the same event several times", async () => {
    let runs = 0;
    const counting = onTrigger("message_sent", async () => {
      runs += 1;
    });

    await runTrigger(counting, events.messageSent(), { deliveries: 3 });

    expect(runs).toBe(3);
  });

  it("tries an event five times if a bug fails it, and reports why it was dead-lettered", async () => {
    const broken = onTrigger("message_sent", async () => {
      throw new TypeError("a bug");
    });

    const { buried, failures, isHandled } = await runTrigger(broken, events.messageSent());

    expect(buried?.cause).toContain("a bug");
    expect([failures, isHandled]).toEqual([5, false]);
  });

  it("waits for the end of a platform outage by moving the clock", async () => {
    let refusals = 20;
    const answer = () => {
      refusals -= 1;
      return refusals >= 0 ? Response.json({ error: { code: "DOWN" } }, { status: 503 }) : undefined;
    };

    const { sent, tookMs, isHandled } = await runTrigger(thanks, events.messageSent(), { answer });

    expect([sent.length, isHandled]).toEqual([1, true]);
    expect(tookMs).toBeGreaterThan(5_000);
  });

  it("waits for promises of a handler outside of the kit", async () => {
    const slow = onTrigger("message_sent", async ({ log }) => {
      for (let turn = 1; turn <= 20; turn += 1) await new Promise(setImmediate);
      log.info("back", {});
    });

    const { log, isHandled } = await runTrigger(slow, events.messageSent());

    expect([log.some(({ message }) => message === "back"), isHandled]).toEqual([true, true]);
  });

  it("ends an endless handler at its time limit", async () => {
    const endless = onTrigger("message_sent", () => new Promise<void>(() => {}));

    const { log } = await runTrigger(endless, events.messageSent(), { attempts: 1 });

    expect(log.find(({ fields }) => fields.cause)?.fields.cause).toContain("did not end within");
  });

  it("begins at the time that a test chooses", async () => {
    const clock = new Date("2026-03-01T09:00:00Z");
    const seen: Date[] = [];
    const looking = onTrigger("message_sent", async ({ receivedAt }) => void seen.push(receivedAt));

    await runTrigger(looking, events.messageSent(), { clock });

    expect(seen).toEqual([clock]);
  });

  it("passes derived events on unchanged", async () => {
    const call = derivedEvents.callMissed({ caller: "ann", callee: "bela" });
    const seen: unknown[] = [];
    const looking = onTrigger("call_missed", async ({ event }) => void seen.push(event));

    await runTrigger(looking, call);

    expect(seen).toEqual([call]);
  });

  it("refuses an invalid event", async () => {
    await expect(runTrigger(thanks, { trigger: "message_sent", data: {} })).rejects.toThrow(
      /no event.*message/,
    );
  });
});

describe("runTrigger, with options", () => {
  it("gives the trigger settings in place of the configured ones", async () => {
    const options = { settings: { of: () => ({ text: "as configured" }) } };
    const seen: string[] = [];
    const looking = onTrigger("message_sent", options, async ({ settings }) => void seen.push(settings.text));

    await runTrigger(looking, events.messageSent());
    await runTrigger(looking, events.messageSent(), { config: { text: "of the test" } });

    expect(seen).toEqual(["as configured", "of the test"]);
  });

  it("shows stored state by kind and key until it expires", async () => {
    const short = defineState("short", z.object({ day: z.string() }), { per: "user", keepFor: "1min" });
    const total = defineState("total", z.object({ count: z.number() }), { per: "app", keepFor: "2d" });
    const remember = onTrigger("message_sent", async ({ event, state }) => {
      await state(short, event.message.sender).update(() => ({ day: "2026-11-20" }));
      await state(total).update((before) => ({ count: (before?.count ?? 0) + 1 }));
    });
    const event = events.messageSent({ id: "1002", sender: "bela", receiver: "ann" });

    const { remembered } = await runTrigger(remember, events.messageSent(), {
      later: [{ after: "5min", event }],
    });

    expect(remembered).toEqual({ short: { bela: { day: "2026-11-20" } }, total: { "": { count: 2 } } });
  });

  it("repeats a request to another host with the same idempotency key after a crash", async () => {
    const ticket = onTrigger("message_sent", async ({ effects }) => {
      await effects.request("ticket", {
        url: "https://tickets.example.com/new",
        method: "POST",
        body: { subject: "help" },
      });
    });

    const { requested, isHandled } = await runTrigger(ticket, events.messageSent(), {
      allowedHosts: ["tickets.example.com"],
      crash: "after request",
    });

    const keys = new Set(requested.map(({ headers }) => headers["idempotency-key"]));
    expect([requested.length, keys.size, isHandled]).toEqual([2, 1, true]);
    expect(requested[0]?.body).toEqual({ subject: "help" });
  });

  it("only shows the trigger's actions, in shadow", async () => {
    const { wouldHave, sent } = await runTrigger(thanks, events.messageSent(), { shadow: true });

    expect(wouldHave).toEqual([{ name: "thanks", kind: "send-message" }]);
    expect(sent).toEqual([]);
  });
});

describe("runAtEveryCrash", () => {
  it("accepts a safe handler, which sends once wherever its process dies", async () => {
    const runs = await runAtEveryCrash(thanks, events.messageSent());

    expect(runs.length).toBeGreaterThan(10);
    for (const { crash, sent, isHandled } of runs)
      expect([crash, sent.length, isHandled]).toEqual([crash, 1, true]);
  });

  it("finds an unsafe handler", async () => {
    const runs = await runAtEveryCrash(careless, events.messageSent());

    const twice = runs.filter(({ sent }) => sent.length > 1).map(({ crash }) => crash);
    expect(twice).toContain("after POST /messages");
  });

  it("reports its progress at its time limit, and refuses an invalid limit", async () => {
    const run = (limitMs: number) => runAtEveryCrash(thanks, events.messageSent(), { limitMs });

    await expect(run(1)).rejects.toThrow(
      /ended after 1 ms, with 0 of \d\d crash points done.*option limitMs/,
    );
    await expect(run(0)).rejects.toThrow('"limitMs" must be a number of milliseconds above 0');
  });
});
