import { describe, expect, it } from "vitest";
import { InvalidSecretError } from "../../../lib/aws/secrets/parse-secret.ts";
import { EffectNotBegunError } from "../../../lib/effects/effect-errors.ts";
import { onTrigger, type TriggerContext } from "../../../lib/handle/on-trigger.ts";
import { ageOfEvent } from "../../../lib/handle/trigger-context.ts";
import { events } from "../../../local/testing/events/events.ts";
import { body, createAttemptWorld, hourMs, namesOfBody, reply, replying, startMs } from "./attempt-world.ts";

const noSecret = { connectionOf: () => Promise.reject(new InvalidSecretError("Secret x has no text.")) };

describe("a trigger's context", () => {
  it("contains the app, the attempt, its end and the time", async () => {
    const seen: Partial<TriggerContext>[] = [];
    const trigger = onTrigger("message_sent", async ({ app, attempt, deadlineMs, signal, now, settings }) => {
      seen.push({ app, attempt, deadlineMs, signal, settings, receivedAt: new Date(now()) });
    });
    const world = createAttemptWorld({ trigger });
    world.pass(hourMs);

    await world.attempt({ ...body, region: "in" }, { progress: { waits: 2, deaths: 1 } });

    expect(seen).toEqual([
      {
        app: { appId: "app-1", region: "in" },
        attempt: 4,
        deadlineMs: startMs + hourMs + 28_000,
        signal: expect.any(AbortSignal),
        settings: undefined,
        receivedAt: new Date(startMs + hourMs),
      },
    ]);
    expect(seen[0]?.signal?.aborted).toBe(true);
  });

  it("contains the app's settings", async () => {
    const seen: string[] = [];
    const settings = {
      of: (appId: string) => {
        if (appId !== "app-1") throw new Error("There are none.");
        return { greeting: `Hello from ${appId}` };
      },
    };
    const trigger = onTrigger("message_sent", { settings }, async ({ settings: { greeting } }) => {
      seen.push(greeting);
    });

    expect(await createAttemptWorld({ trigger }).attempt(body)).toEqual({ kind: "done" });

    expect(seen).toEqual(["Hello from app-1"]);
  });

  it("contains a log whose lines name the app, the event and the step", async () => {
    const world = createAttemptWorld({
      mine: onTrigger("message_sent", async ({ log }) => log.info("seen", { size: 1 })),
    });

    await world.attempt(body);

    expect(world.log[0]?.fields).toEqual({
      ...namesOfBody,
      step: "message_sent mine",
      size: 1,
    });
  });

  it("reads nothing that the handler does not use", async () => {
    const refused = (name: string) => () => Promise.reject(new Error(`asked for ${name}`));
    const occurrences = { read: refused("occurrences"), claim: refused("occurrences") };
    const ledger = { begin: refused("ledger"), finish: refused("ledger"), release: refused("ledger") };
    const idle = onTrigger(["message_sent", "user_blocked"], async ({ chat }) => void chat.rateLimit());
    const world = createAttemptWorld(
      { idle },
      { ...noSecret, occurrences, ledger: { ...ledger, readById: refused("ledger") } },
    );

    expect(await world.attempt(body)).toEqual({ kind: "done" });
    expect(await world.attempt(events.userBlocked())).toEqual({ kind: "done" });
  });

  it("fails an effect whose app is out of reach, even if the handler catches the error", async () => {
    const errors: unknown[] = [];
    const careless = onTrigger("message_sent", async ({ effects }) => {
      await effects.sendText("reply", reply).catch((error: unknown) => errors.push(error));
    });
    const world = createAttemptWorld({ careless }, noSecret);

    const outcome = await world.attempt(body);

    expect(errors).toEqual([expect.any(EffectNotBegunError)]);
    expect(outcome).toMatchObject({
      kind: "wait",
      progress: { tries: {}, pending: { "message_sent careless": { destination: "secret" } } },
    });
  });

  it("performs an effect without a lookup at the next attempt if the app was out of reach", async () => {
    let isOut = true;
    const { connectionOf } = noSecret;
    const working = createAttemptWorld({});
    const world = createAttemptWorld(
      { replying },
      { connectionOf: (appId) => (isOut ? connectionOf() : working.connect(appId)) },
    );
    await world.attempt(body);
    isOut = false;

    expect(await world.attempt(body)).toEqual({ kind: "done" });

    expect(working.requests).toMatchObject([{ method: "POST" }]);
  });
});

const at = (ms: number) => ({ occurredAt: new Date(ms), occurredAtField: "data.message.sentAt" });

describe("ageOfEvent", () => {
  it("counts from the time of occurrence, for any delay of receipt", () => {
    expect(ageOfEvent(at(1_000), 5_000, 9_000)).toBe(8_000);
  });

  it.each([
    ["that is unknown", { occurredAt: undefined, occurredAtField: undefined }],
    ["after its receipt, which is impossible", at(58_645_000_000)],
    ["of the group, which its members do not change", { ...at(1), occurredAtField: "data.group.updatedAt" }],
  ])("counts from the receipt for a time %s", (_case, head) => {
    expect(ageOfEvent(head, 5_000, 9_000)).toBe(4_000);
  });

  it("is never negative, for any clock", () => {
    expect(ageOfEvent(at(5_000), 5_000, 4_000)).toBe(0);
  });
});
