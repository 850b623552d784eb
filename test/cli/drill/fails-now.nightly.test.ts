import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../lib/operate/doctor/run-checks.ts";
import { createSetAside } from "../../helpers/set-aside.ts";
import { writeToSupport } from "../../helpers/write-to-support.ts";
import { type DrillWorld, startDrillWorld } from "./drill-world.ts";

const marks = mkdtempSync(join(tmpdir(), "mended-"));
const mended = join(marks, "mended");
const broken = join(marks, "broken");

/** What fails until a file exists, as until a fix is deployed. */
const files = {
  "config/canary.yml": "users:\n",
  "config/triggers.yml": "local: careless, mortal, hopeful\n",
  "functions/own/flows.ts": "export const ownFlows = [];",
  "functions/own/triggers.ts": `
    import { existsSync } from "node:fs";
    import * as z from "zod/mini";
    import { defineFlow } from "../../lib/flows/define-flow.ts";
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
    // The build runs no handler, so that it cannot know this name.
    const forgotten = () => defineFlow(["forgotten"].join(), { input: z.object({}), waitsFor: [] }, async () => {});
    const on = (word: string) => ({ where: { text: { words: [word] } } });
    if (existsSync(${JSON.stringify(broken)}) && process.env.AWS_LAMBDA_FUNCTION_NAME?.endsWith("doctor"))
      throw new Error("no such module");
    const isMended = () => existsSync(${JSON.stringify(mended)});
    export const ownTriggers = {
      careless: onTrigger("message_sent", on("falter"), async () => { if (!isMended()) throw new Error("no luck"); }),
      mortal: onTrigger("message_sent", on("die"), async () => { if (!isMended()) process.exit(1); }),
      hopeful: onTrigger("message_sent", on("hope"), async ({ effects }) => { await effects.start(forgotten(), {}); }),
    };`,
};

describe("status and doctor", () => {
  let drill: DrillWorld;
  beforeAll(async () => {
    drill = await startDrillWorld(files);
  });
  afterEach(async () => {
    rmSync(mended, { force: true });
    await drill?.restore();
  });
  afterAll(async () => {
    await drill?.close();
    rmSync(marks, { recursive: true });
  });

  /** Timers do not pass. */
  const settle = async ({ platform, cloud }: DrillWorld["world"]) => {
    await platform.idle();
    await cloud.settled();
  };
  const say = async (text: string) => {
    const id = await writeToSupport(drill.world, text);
    await settle(drill.world);
    return id;
  };
  const pass = async (minutes: number) => {
    await drill.world.clock?.advance(minutes * 60_000);
    await settle(drill.world);
  };
  const fix = () => writeFileSync(mended, "");
  const wrongs = () => drill.wrongs();
  const isStatusRed = async () => (await drill.chat("status --local")).exitCode === 1;
  const found = (check: Finding["check"], says: RegExp, typed: string) =>
    expect.objectContaining({
      check,
      says: expect.stringMatching(says),
      remedy: `npx cometchat-functions ${typed} --local`,
    });
  const type = async (remedy = "") => {
    const { exitCode, stderr } = await drill.type(remedy);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  };

  it("report a doctor that cannot load, and still show everything else", async () => {
    await createSetAside(drill.world.cloud).bury("1");
    await drill.manage("PUT /webhooks/functions", { enabled: false });
    writeFileSync(broken, "");
    drill.world.cloud.kill("doctor");

    const { exitCode, stdout } = await drill.chat("status --local");
    const { json } = await drill.chat("status --local --json --app local-app");
    const found = (await wrongs()).map(({ check, remedy }) => ({ check, remedy }));
    const lines = [
      "pause app:local-app",
      "pause trigger:careless",
      "pause flow:forgotten",
      "resume app:local-app",
    ];
    const ended = [];
    for (const line of lines) ended.push((await drill.chat(`${line} --local --yes`)).exitCode);
    for (const what of ["trigger:careless", "flow:forgotten"])
      await drill.chat(`resume ${what} --local --yes`);
    rmSync(broken);

    const logs = "npx cometchat-functions logs --function doctor --level error --since 1h --local";
    expect(ended).toEqual([0, 0, 0, 0]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`✗ The function \\S+doctor does not say what is deployed.*→ ${logs}\\n`),
    );
    expect(stdout).toContain("✗ Dead-lettered events: 1.");
    expect(stdout).toContain("✗ App local-app: The webhook functions is switched off.");
    expect(stdout).toMatch(/\nlocal-app +0\.0/);
    expect(json).toMatchObject([{ apps: [{ appId: "local-app" }] }]);
    expect(found).toContainEqual({ check: "deployed", remedy: logs });
  });

  it("report a trigger until its event is handled", async () => {
    await say("falter");

    const [wrong, ...others] = await wrongs();
    const isRed = await isStatusRed();
    await type(wrong?.remedy);
    fix();
    await pass(3);

    expect(wrong).toEqual(
      found(
        "failing",
        /^The trigger careless fails since .*Z, \d times?: Error: no luck/,
        "logs --app local-app --since 1h",
      ),
    );
    expect([others, isRed]).toEqual([[], true]);
    expect([await wrongs(), await isStatusRed()]).toEqual([[], false]);
  });

  it("report a consumer that crashes, also between good runs, and no longer once it is fixed", async () => {
    const id = await say("die");
    await drill.world.cloud.invoke("processEvents", { Records: [] });
    await pass(3);

    const [wrong, trigger, waits, ...others] = await wrongs();
    const isRed = await isStatusRed();
    await type(wrong?.remedy);
    const traced = await drill.type(trigger?.remedy ?? "");
    fix();
    await pass(4);

    expect(trigger).toEqual(
      found(
        "failing",
        /^The trigger mortal ended without a result \d times.* message_sent of the conversation alice_user_support/,
        `trace 'local-app|message_sent|${id}' --app local-app`,
      ),
    );
    expect(traced).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("parked") });
    const logs = "logs --function processEvents --level error --since 1h";
    expect(wrong).toEqual(
      found("functions", /^processEvents ends with an error or without an answer: \d times? in/, logs),
    );
    expect(waits).toEqual(
      found("waiting", /^1 conversation waits for the trigger mortal/, "logs --app local-app --since 1h"),
    );
    expect([others, isRed]).toEqual([[], true]);
    expect([await wrongs(), await isStatusRed()]).toEqual([[], false]);
  });

  it("no longer report what the scheduled doctor found once it is fixed", async () => {
    await drill.manage("PUT /webhooks/functions", { enabled: false });
    await drill.world.cloud.invoke("doctor", {});
    const status = () => drill.chat("status --local");
    const red = await status();
    await type("npx cometchat-functions setup --app local-app --local");

    expect(red.stdout).toContain(
      "✗ App local-app: The webhook functions is switched off.  → npx cometchat-functions setup --app local-app --local",
    );
    const { exitCode, stdout } = await status();
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("✓ nothing") });
  });

  it("report a platform that delivers nothing, as with the legacy engine on and no webhook of it", async () => {
    await pass(2);
    drill.world.platform.switchEngine("local-app", "legacy");
    const id = await say("Is anybody there?");
    await pass(3);

    const found = await wrongs();
    drill.world.platform.switchEngine("local-app", "current");
    await say("And now?");
    await pass(3);

    expect(found).toEqual([
      expect.objectContaining({
        check: "arrivals",
        says: expect.stringMatching(new RegExp(`^Nothing arrived since the message ${id} was sent`)),
      }),
    ]);
    expect(await wrongs()).toEqual([]);
  });

  it("report a webhook of the legacy engine that is refused, until it is corrected", async () => {
    const { url, username, password } = drill.world.webhook;
    const old = { id: "old", name: "Old", webhookURL: url, enabled: true, useBasicAuth: true, username };
    await drill.manage("POST /webhooks", { ...old, password: "aPasswordOfNobody" }, "legacy");
    await drill.manage("POST /webhooks/old/triggers", { triggerIds: ["after_message"] }, "legacy");
    drill.world.platform.switchEngine("local-app", "legacy");
    await pass(2);
    await say("Hello?");
    const before = (await wrongs()).filter(({ check }) => check === "deliveries");
    await pass(2);
    await drill.manage("PUT /webhooks/old", { password }, "legacy");
    const after = (await wrongs()).map(({ check }) => check);
    await drill.manage("DELETE /webhooks/old", undefined, "legacy");
    drill.world.platform.switchEngine("local-app", "current");

    expect(before).toEqual([
      expect.objectContaining({
        says: expect.stringMatching(/^The receiver refused \d+ deliver/),
        remedy: "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
      }),
    ]);
    expect(after).toEqual(["legacy-webhooks"]);
  });

  it("report a flow that is started and not in the table", async () => {
    await say("hope");
    await drill.world.cloud.durable.idle();

    expect(await wrongs()).toEqual([
      found(
        "failing",
        /^The flow forgotten fails since .*There is no flow named/,
        "logs --app local-app --since 1h",
      ),
    ]);
    expect(await isStatusRed()).toBe(true);
  });
});
