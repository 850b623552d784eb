import { describe, expect, it } from "vitest";
import { messages } from "../../../lib/chat/resources/messages.ts";
import type { users } from "../../../lib/chat/resources/users.ts";
import { runningWork } from "../../../lib/effects/effect-services.ts";
import { onTrigger, type TriggerContext, type TriggerTable } from "../../../lib/handle/on-trigger.ts";
import type { AttemptOutcome } from "../../../lib/queue/lanes/lane-services.ts";
import type { Progress } from "../../../lib/queue/lanes/progress.ts";
import { body, createAttemptWorld, reply } from "./attempt-world.ts";

type World = ReturnType<typeof createAttemptWorld>;
type Effects = TriggerContext["effects"];

function worldOf(handle: (effects: Effects, context: TriggerContext) => Promise<void>): World {
  const trigger = onTrigger("message_sent", async (context) => handle(context.effects, context));
  return createAttemptWorld({ trigger });
}

/** Attempts until the outcome is not to wait, at the times that the event requests; at most ten times. */
async function tryOn(world: World): Promise<{ readonly outcome: AttemptOutcome; readonly tries: number }> {
  let progress: Partial<Progress> = {};
  for (let tries = 1; ; tries += 1) {
    const outcome = await world.attemptInTime(body, { progress });
    if (outcome.kind !== "wait" || tries === 10) return { outcome, tries };
    ({ progress } = outcome);
    world.pass(Math.max(0, outcome.wakeAt - world.now()));
  }
}

const sends = ({ requests }: World) => requests.filter(({ method }) => method === "POST").length;
const refused = () => Response.json({ error: { code: "ERR_EXCEPTION", message: "No." } }, { status: 503 });

it("names the event and trigger of work that continues after its handler, for uncaught errors", async () => {
  const named = Promise.withResolvers<unknown>();
  const world = worldOf(async () => void setImmediate(() => named.resolve(runningWork.getStore())));

  await tryOn(world);

  expect(await named.promise).toMatchObject({
    appId: "app-1",
    trigger: "message_sent",
    step: "message_sent trigger",
    queueMessageId: expect.any(String),
  });
});

describe("a handler that does not await an effect", () => {
  it("ends only after the effect and those that follow it", async () => {
    const world = worldOf(async (effects) => {
      for (const name of ["a", "b"]) {
        void (async () => {
          await effects.sendText(`${name} 1`, reply);
          await effects.sendText(`${name} 2`, reply);
        })();
      }
    });

    expect(await tryOn(world)).toEqual({ outcome: { kind: "done" }, tries: 1 });

    expect(sends(world)).toBe(4);
  });

  it("is tried again when the effect fails", async () => {
    const world = worldOf(async (effects) => void effects.sendText("reply", reply));
    world.platform.answer = refused;

    expect(await world.attemptInTime(body)).toMatchObject({ kind: "wait", progress: { finished: [] } });
  });

  it("ends only after its requests to the platform, whose failures it handles itself", async () => {
    let isHeard = false;
    const world = worldOf(async (_effects, { chat, log }) => {
      void chat.users.get("ann").catch(() => log.info("not there", {}));
    });
    world.platform.answer = async () => {
      isHeard = true;
      return refused();
    };

    expect(await world.attemptInTime(body)).toEqual({ kind: "done" });

    expect(isHeard).toBe(true);
    expect(world.log.map(({ message }) => message)).toEqual(["not there", "handled an event"]);
  });
});

describe("a handler that catches everything", () => {
  it("is not done while an effect's outcome is unclear", async () => {
    const world = worldOf(async (effects) => {
      await effects.sendText("reply", reply).catch(() => undefined);
    });
    let isOut = true;
    world.platform.answer = () =>
      isOut ? Promise.reject(new TypeError("fetch failed")) : Response.json({ data: [], meta: {} });
    // The handler may ignore the first failure, but not that it may have been carried out.
    await world.attemptInTime(body);
    isOut = false;

    expect(await world.attemptInTime(body)).toMatchObject({ kind: "wait", progress: { finished: [] } });
  });

  it("is not done if its time ended before the effect", async () => {
    const world: World = worldOf(async (effects) => {
      await world.time.sleep(29_000);
      await effects.sendText("reply", reply).catch(() => undefined);
    });

    expect(await world.attemptInTime(body, { laneOfTrigger: "trigger" })).toMatchObject({
      kind: "wait",
      progress: { finished: [] },
    });
    expect(sends(world)).toBe(0);
  });
});

describe("a trigger that never ends", () => {
  it("lets later triggers run, and waits in a separate lane", async () => {
    const runs: string[] = [];
    const triggers: TriggerTable = {
      first: onTrigger("message_sent", () => new Promise(() => {})),
      second: onTrigger("message_sent", async () => void runs.push("second")),
    };
    const world = createAttemptWorld(triggers);

    const { outcome, tries } = await tryOn(world);

    expect(runs).toEqual(["second"]);
    expect({ outcome, tries }).toEqual({ outcome: { kind: "done" }, tries: 2 });
    expect(await world.stateOfTriggerLane("first")).toMatchObject({
      head: { progress: { tries: { "message_sent first": 1 } } },
    });
  });
});

describe("a handler with one name for several effects", () => {
  it("is reported in the log, since only the first effect is done", async () => {
    const world = worldOf(async (effects) => {
      for (const receiver of ["ann", "carl"]) await effects.sendText("tell", { ...reply, receiver });
    });

    expect(await tryOn(world)).toEqual({ outcome: { kind: "done" }, tries: 1 });

    expect(sends(world)).toBe(1);
    expect(JSON.stringify(world.log)).toMatch(/its name was used before in this run.*"tell"/);
  });

  it("is dead-lettered if it uses a list as an effect", async () => {
    const list: object = messages.list;
    const world = worldOf(async (effects) => {
      await effects.do("list", list as typeof users.create, { limit: 1 } as never);
    });

    expect(await tryOn(world)).toMatchObject({
      outcome: { kind: "dead-letter", reason: "permanent" },
      tries: 1,
    });
  });
});
