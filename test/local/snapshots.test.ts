import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { SnapshotError } from "../../local/stack/snapshots/snapshot-error.ts";
import { openSnapshotFolder } from "../../local/stack/snapshots/snapshot-shelf.ts";
import { isNight } from "../helpers/by-day.ts";
import { deliver } from "../helpers/deliver.ts";
import { stillOf } from "../helpers/settle.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

describe("snapshots of a local stack", () => {
  let world: LocalStack;
  let dataFolder: string;

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), "snapshots-"));
    world = await startPatientWorld({ dataFolder });
  });
  afterAll(async () => {
    await world.close();
    rmSync(dataFolder, { recursive: true });
  });

  it("restore exactly the former state, and the stack continues", async () => {
    await say("What is the price of then?");
    await world.snapshots.save("then");
    const then = texts();
    await world.cloud.putSecret("later", { key: "value" });
    await say("What is the price of later?");

    await world.snapshots.restore("then");
    const restored = texts();
    await say("What is the price of now?");

    expect(then).toHaveLength(2);
    expect(restored).toEqual(then);
    expect(texts()).toHaveLength(4);
    expect(world.cloud.stores.secrets.contents().some(({ name }) => name === "later")).toBe(false);
  });

  it("remember handled events: a repeated delivery has no second effect", async () => {
    await world.snapshots.restore("then");
    const [delivery] = world.platform.deliveries();
    const row = world.platform.services.db.get("SELECT body FROM deliveries WHERE id = ?", delivery?.id ?? 0);

    const answer = await deliver(world, String(row?.body));
    await stillOf(world);

    expect(answer.status).toBe(200);
    expect(texts()).toHaveLength(2);
  });

  it("let no running work of the former state reach the restored one", async () => {
    // Each call of the table takes so long that the functions are still working.
    const { services } = world.cloud.faults.settings();
    const dynamodb = { isDown: false, throttled: 0, slowMs: 400 };
    world.cloud.faults.set({ services: { ...services, dynamodb } });
    for (let count = 1; count <= 5; count += 1) await writeToSupport(world, `What is the price of ${count}?`);
    await expect.poll(() => world.cloud.faults.strikes().services.dynamodb.slow).toBeGreaterThan(0);

    await world.snapshots.restore("then");
    const atOnce = everything();
    await stillOf(world);
    await new Promise((resolve) =>
      world.platform.services.clock.schedule(Date.now() + 1_000, () => resolve(0)),
    );
    await stillOf(world);

    expect(texts()).toHaveLength(2);
    expect(everything()).toEqual(atOnce);
    expect(world.cloud.faults.settings().services.dynamodb.slowMs).toBe(0);
  });

  it("restore the time, and what waits for it", async () => {
    const { clock } = world;
    await clock?.moveTo(clock.now() + 3_600_000);
    clock?.freeze();
    await world.snapshots.save("in an hour");
    const nowMs = clock?.now();
    clock?.unfreeze();
    await clock?.moveTo(clock.now() + 86_400_000);

    await world.snapshots.restore("in an hour");
    const restoredMs = clock?.now();
    clock?.unfreeze();

    expect(restoredMs).toBe(nowMs);
  });

  it("are listed with their contents, newest first, replaced on request, and removed", async () => {
    const listed = world.snapshots.list();
    await expect(world.snapshots.save("then")).rejects.toMatchObject({ code: "taken" });
    await world.snapshots.save("then", { replaces: true });
    world.snapshots.remove("in an hour");

    expect(
      listed.map(({ name, counts, isCompatible }) => ({ name, messages: counts.messages, isCompatible })),
    ).toEqual([
      { name: "in an hour", messages: 2, isCompatible: true },
      { name: "then", messages: 2, isCompatible: true },
    ]);
    expect(world.snapshots.list().map(({ name }) => name)).toEqual(["then"]);
    expect(statSync(join(dataFolder, "snapshots", "then.snapshot")).mode & 0o777).toBe(0o600);
  });

  it.each(["", "../then", ".hidden", "x".repeat(65), "a\0b", "\u{20000}".repeat(64), "\u3164"])(
    "refuse the name %j",
    async (name) => {
      await expect(world.snapshots.save(name)).rejects.toThrow(SnapshotError);
      expect(() => world.snapshots.remove(name)).toThrow(SnapshotError);
    },
  );

  it("of another version are refused, and change nothing", async () => {
    const shelf = openSnapshotFolder(join(dataFolder, "snapshots"));
    const [head = "", ...rest] = Buffer.from(shelf.read("then")).toString("latin1").split("\n");
    const older = JSON.stringify({ ...JSON.parse(head), name: "older", platformShape: "[]" });
    shelf.write("older", Buffer.from([older, ...rest].join("\n"), "latin1"));
    shelf.write("torn", Buffer.from(shelf.read("then")).subarray(0, 3_000));
    const before = everything();

    await expect(world.snapshots.restore("older")).rejects.toMatchObject({ code: "outdated" });
    await expect(world.snapshots.restore("torn")).rejects.toMatchObject({ code: "unreadable" });
    await expect(world.snapshots.restore("none")).rejects.toMatchObject({ code: "missing" });

    expect(everything()).toEqual(before);
    expect(world.snapshots.list().find(({ name }) => name === "older")?.isCompatible).toBe(false);
  });

  it("change nothing if the platform cannot store them, and the stack continues", async () => {
    await world.snapshots.save("then", { replaces: true });
    await world.cloud.putSecret("full", { key: "value" });
    await world.clock.moveTo(world.clock.now() + 3_600_000);
    const [before, { offsetMs }] = [everything(), world.clock.setting];
    const { db } = world.platform.services;
    db.run("CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(FAIL, 'disk is full'); END");

    await expect(world.snapshots.restore("then")).rejects.toThrow("disk is full");
    db.run("DROP TRIGGER full");

    expect(everything()).toEqual(before);
    expect(world.clock.setting.offsetMs).toBe(offsetMs);
    expect(world.cloud.stores.secrets.contents().some(({ name }) => name === "full")).toBe(true);
    expect(existsSync(join(dataFolder, "restoring.json"))).toBe(false);
    const count = texts().length;
    await say("What is the price of more?");
    expect(texts()).toHaveLength(count + 2);
  });

  it("are restored completely at the next start if the process crashed meanwhile", async () => {
    await world.snapshots.save("whole", { replaces: true });
    await say("What is the price of half?");
    const whole = texts().length - 2;
    await world.close();
    writeFileSync(join(dataFolder, "restoring.json"), JSON.stringify({ name: "whole" }));
    rmSync(join(dataFolder, "cloud", "tables"), { recursive: true });

    world = await startPatientWorld({ dataFolder });
    const restored = texts().length;
    await say("What is the price of the rest?");

    expect(restored).toBe(whole);
    expect(world.finishedRestore).toBe("whole");
    expect(texts()).toHaveLength(whole + 2);
    expect(existsSync(join(dataFolder, "restoring.json"))).toBe(false);
  });

  async function say(text: string): Promise<void> {
    await writeToSupport(world, text);
    await stillOf(world);
  }
  function texts(): string[] {
    const rows = world.platform.services.db.all("SELECT id FROM messages ORDER BY id");
    return rows.map(({ id }) => String(id));
  }
  /** Everything in the stack, except times of last use. */
  function everything() {
    const { queues, tables, executions } = world.cloud.contents();
    const { messages, deliveries } = world.platform.snapshot().tables;
    return { queues, tables, executions, messages, deliveries };
  }
});

describe("openSnapshotFolder", () => {
  it.runIf(isNight)("leaves the old or the new one if the process is killed while it writes", async () => {
    const folder = temporaryFolder();
    const module = join(import.meta.dirname, "../../local/stack/snapshots/snapshot-shelf.ts");
    const script = `
      const { openSnapshotFolder } = await import(${JSON.stringify(module)});
      const shelf = openSnapshotFolder(${JSON.stringify(folder)});
      const all = ["a", "b"].map((letter) => Buffer.alloc(20_000_000, letter));
      for (let turn = 0; ; turn += 1) {
        shelf.write("world", all[turn % 2]);
        if (turn === 1) process.stdout.write("writing");
      }`;
    for (const afterMs of [1, 7, 13]) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      const until = performance.now() + afterMs;
      while (performance.now() < until);
      child.kill("SIGKILL");
      await once(child, "close");

      const bytes = openSnapshotFolder(folder).read("world");
      const first = bytes[0];
      expect(bytes.byteLength).toBe(20_000_000);
      expect(bytes.every((byte) => byte === first)).toBe(true);
      expect(openSnapshotFolder(folder).list()).toHaveLength(1);
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(2);
  });
});
