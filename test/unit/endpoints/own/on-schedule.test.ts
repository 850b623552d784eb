import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { users } from "../../../../lib/chat/resources/users.ts";
import { onSchedule } from "../../../../lib/endpoints/own/on-schedule.ts";
import { createOwnWorld, invocation } from "../../../helpers/own-world.ts";

const appIds = ["local-app", "zwei-app", "third-app"];

describe("onSchedule", () => {
  it("runs for each served app, with its client, its secrets and the schedule's input", async () => {
    const world = createOwnWorld({ appIds, secret: { reportToken: "a-report-token" } });
    const run = onSchedule(async ({ app, chat, secret, input }) => {
      const { name } = await chat.using({ users }).users.create({ uid: "robot", name: app.appId });
      return { name, input, characters: (await secret("reportToken")).length };
    }, {}).on(world.services);

    expect(await run({ daily: true }, invocation)).toEqual({
      apps: appIds.map((appId) => ({
        appId,
        result: { name: appId, input: { daily: true }, characters: 14 },
      })),
    });
  });

  it("runs for the other apps if one fails, and then fails with the name of that one", async () => {
    const world = createOwnWorld({ appIds });
    const done: string[] = [];
    const run = onSchedule(({ app }) => {
      if (app.appId === "zwei-app") throw new Error("no such table");
      done.push(app.appId);
      return { uid: "ann" };
    }, {}).on(world.services);

    const error = await run({}, invocation).catch((thrown: unknown) => thrown);

    expect(String(error)).toMatch(/failed for 1 of 3 apps: zwei-app \(Error at on-schedule/);
    // Lambda logs message and fields.
    expect(inspect(error)).not.toMatch(/uid|third-app/);
    expect(done).toEqual(["local-app", "third-app"]);
    expect(world.lines.join("\n")).toMatch(/ScheduleFailed.*zwei-app/);
  });

  it("runs for the other apps if one's secret is not filled in", async () => {
    const world = createOwnWorld({ appIds });
    world.secrets.set("kit/local-app", { appId: "local-app", region: "us", apiKey: "" });
    const done: string[] = [];
    const run = onSchedule(({ app }) => void done.push(app.appId), {}).on(world.services);

    await expect(run({}, invocation)).rejects.toThrow("failed for 1 of 3 apps");
    expect(done).toEqual(["zwei-app", "third-app"]);
  });

  it("gives a hanging run its share of the time, aborts its signal, and continues", async () => {
    const world = createOwnWorld({ appIds });
    const done: string[] = [];
    const run = onSchedule(({ app, signal }) => {
      done.push(app.appId);
      if (app.appId !== "local-app") return undefined;
      return new Promise<undefined>(() => {
        signal.addEventListener("abort", () => done.push("ended"));
      });
    }, {}).on(world.services);

    const run90ms = run({}, { ...invocation, getRemainingTimeInMillis: () => 1_090 });

    await expect(run90ms).rejects.toThrow("failed for 1 of 3 apps");
    expect(done).toEqual(["local-app", "ended", "zwei-app", "third-app"]);
  });

  it("reads no secret of an app without work", async () => {
    const world = createOwnWorld({ appIds });
    const run = onSchedule(() => "done", { runsFor: (appId) => appId === "zwei-app" }).on(world.services);

    expect(await run({}, invocation)).toEqual({ apps: [{ appId: "zwei-app", result: "done" }] });
    expect(world.readings()).toBe(1);
  });

  it("ends requests at the function's time limit", async () => {
    const world = createOwnWorld();
    const run = onSchedule(async ({ chat, deadlineMs, now }) => {
      world.advance(deadlineMs - now());
      await chat.using({ users }).users.get("alice");
    }, {}).on(world.services);

    await expect(run({}, invocation)).rejects.toThrow("failed for 1 of 1 apps");
    expect(world.requests).toEqual([]);
  });
});
