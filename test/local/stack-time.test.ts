import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StackClock } from "../../local/stack/clock/stack-clock.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe("a local stack's time", () => {
  let world: LocalStack;
  let clock: StackClock;
  let dataFolder: string;
  const lines: string[] = [];

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), "world-time-"));
    world = await startPatientWorld({ dataFolder, log: (line) => lines.push(line) });
    clock = clockOf(world);
    world.cloud.faults.set({ concurrency: { webhook: 1 } });
  });
  afterAll(async () => {
    await world.close();
    rmSync(dataFolder, { recursive: true });
  });

  it("triggers what waits: a delivery's next try, and all that follows from it", async () => {
    await world.cloud.stopQueue();
    await writeToSupport(world, "What is the price?");
    await world.platform.idle();
    await world.cloud.startQueue();
    const before = countReplies(world);

    const moved = await clock.moveTo(clock.now() + 30_000);

    expect(before).toBe(0);
    expect(moved.isDone).toBe(true);
    expect(countReplies(world)).toBe(1);
  });

  it("is the time of the functions and their logs, too", async () => {
    await clock.moveTo(clock.now() + 3 * dayMs);
    const before = dayOf(clock.now());
    lines.length = 0;
    const replies = countReplies(world);

    await warmReceiver(world);
    await writeToSupport(world, "What is the price of two?");
    await clock.moveTo(clock.now() + 60_000);

    // A day may end meanwhile.
    expect(countReplies(world)).toBe(replies + 1);
    expect(lines.join("\n")).toMatch(new RegExp(`(${before}|${dayOf(clock.now())})T`));
    // The gateway's time is the functions', too.
    const [, sinceReceivedMs] = /"sinceReceivedMs":(-?\d+)/.exec(lines.join("\n")) ?? [];
    expect(Number(sinceReceivedMs)).toBeLessThan(20_000);
  });

  it("stands still while frozen, while work continues", async () => {
    await warmReceiver(world);
    clock.freeze();
    const atMs = clock.now();
    const replies = countReplies(world);

    await writeToSupport(world, "What is the price of three?");
    await clock.moveTo(atMs);

    expect(countReplies(world)).toBe(replies + 1);
    expect(world.platform.services.clock.now()).toBe(atMs);
    clock.unfreeze();
    expect(clock.now()).toBeLessThan(atMs + 60_000);
  });

  it("runs the due schedules, each once", async () => {
    const invoked: string[] = [];
    const stop = world.subscribe((news) => {
      if (news.kind === "invocation") invoked.push(news.functionKey);
    });
    world.cloud.scheduled.isOn = true;

    await clock.moveTo(clock.now() + hourMs);
    world.cloud.scheduled.isOn = false;
    stop();

    expect(invoked.filter((key) => key === "doctor")).toHaveLength(1);
  });

  it("is stored with the data, as is a changed secret, and a delivery due meanwhile is retried", async () => {
    const name = `${world.cloud.outputs.SecretPrefix}/local-app`;
    await world.cloud.putSecret(name, { ...secretOf(name), mine: "1" });
    const before = versionsOf(name);
    await clock.moveTo(clock.now() + dayMs);
    const replies = countReplies(world);
    await world.cloud.stopQueue();
    await writeToSupport(world, "What is the price of four?");
    await world.platform.idle();
    const { setting } = clock;
    await world.close();
    const file = join(dataFolder, "clock.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(setting);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const offsetMs = setting.offsetMs + 20_000;
    writeFileSync(file, JSON.stringify({ offsetMs }));

    world = await startPatientWorld({ dataFolder });
    clock = clockOf(world);
    expect(clock.setting).toEqual({ offsetMs });
    await clock.moveTo(clock.now() + 60_000);

    expect(countReplies(world)).toBe(replies + 1);
    expect(versionsOf(name)).toEqual(before);
    await world.cloud.putSecret(name, { ...secretOf(name), apiKey: "another" });
    await world.reset();
    expect(secretOf(name)).toMatchObject({ apiKey: world.app.fullAccessKey, mine: "1" });
  });

  const versionsOf = (name: string) =>
    world.cloud.stores.secrets.contents().find((one) => one.name === name)?.versions ?? [];
  const secretOf = (name: string) => JSON.parse(versionsOf(name).at(-1)?.value.text ?? "{}");
});

function clockOf({ clock }: LocalStack): StackClock {
  if (clock === undefined) throw new Error("The world has no clock of its own.");
  return clock;
}

function dayOf(atMs: number) {
  return new Date(atMs).toISOString().slice(0, 10);
}

function countReplies({ platform, app }: LocalStack) {
  const rows = platform.services.db.all("SELECT sender FROM messages WHERE app_id = ?", app.appId);
  return rows.filter(({ sender }) => sender === "support").length;
}
