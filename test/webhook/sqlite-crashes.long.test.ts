import { readFileSync } from "node:fs";
import timers from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { messageDelivery } from "../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import { isNight } from "../helpers/by-day.ts";
import { basic } from "../helpers/deliver.ts";
import { startChild } from "./helpers/children.ts";
import { drain, far, makeFile, openQuietly } from "./helpers/stores.ts";

/** Delivers messages with these ids, fifty in parallel, and returns those answered 200. */
async function deliverAll(port: string, ids: readonly string[], onAnswer: (count: number) => void) {
  const accepted = new Set<string>();
  const left = ids[Symbol.iterator]();
  const sendOn = async () => {
    for (const id of left) {
      const { raw } = messageDelivery({ id, conversation: `ann_user_${Number(id) % 20}` });
      const status = await fetch(`http://127.0.0.1:${port}/webhooks/app-1`, {
        method: "POST",
        headers: { authorization: basic("chat", "right-password"), "content-type": "Application/json" },
        body: new Uint8Array(raw),
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) accepted.add(id);
      onAnswer(accepted.size);
    }
  };
  await Promise.all(Array.from({ length: 50 }, sendOn));
  return accepted;
}

/** Reads the ids in a file. */
async function idsIn(file: string): Promise<string[]> {
  const store = openQuietly(file);
  const kept = await drain(store);
  await store.close();
  return kept.map(({ raw }) => JSON.parse(Buffer.from(raw).toString("utf8")).data.message.id);
}

describe("a store in a file", () => {
  it("has all acknowledged deliveries of a burst once after its process is killed", async () => {
    const file = makeFile();
    const ids = Array.from({ length: 400 }, (_, number) => String(number));
    const first = await startChild("receive-into-file.ts", [file]);
    const accepted = await deliverAll(first.firstLine, ids, (count) => {
      if (count === 150) first.process.kill("SIGKILL");
    });
    const second = await startChild("receive-into-file.ts", [file]);
    const again = new Set<string>();
    // A slow disk's refusals are sent again, as the platform does.
    for (let round = 0; again.size < ids.length && round < 10; round += 1) {
      const left = ids.filter((id) => !again.has(id));
      for (const id of await deliverAll(second.firstLine, left, () => undefined)) again.add(id);
    }
    await second.kill();

    const kept = await idsIn(file);

    expect(accepted.size).toBeGreaterThanOrEqual(150);
    expect(accepted.size).toBeLessThan(400);
    expect(again.size).toBe(400);
    expect(kept.toSorted()).toEqual(ids.toSorted());
  });

  it.runIf(isNight)("does not acknowledge deliveries that a full disk refused", async () => {
    const file = makeFile();
    const ids = Array.from({ length: 800 }, (_, number) => String(number));
    // Limits files to 256 KiB (the shell counts in 512 bytes); the log beside the file exceeds them.
    const child = await startChild("receive-into-file.ts", [file], "ulimit -f 512;");

    const accepted = await deliverAll(child.firstLine, ids, () => undefined);
    await child.kill();

    const kept = await idsIn(file);
    expect(accepted.size).toBeGreaterThan(0);
    expect(accepted.size).toBeLessThan(800);
    expect([...accepted].filter((id) => !kept.includes(id))).toEqual([]);
  });

  it("hands out events of a killed process again, each lane to one of two processes", async () => {
    const file = makeFile();
    const journal = `${file}.journal`;
    const store = openQuietly(file);
    const put = (number: number) =>
      store.put(messageDelivery({ id: String(number), conversation: `ann_user_${number % 10}` }), far);
    const [first, second] = await Promise.all([
      startChild("consume-file.ts", [file, journal, "5"]),
      startChild("consume-file.ts", [file, journal, "5"]),
    ]);
    const busy = () => new Set(linesOf(journal).map((line) => line.split(" ")[0])).size;

    // Enough until both processes have started some, and 60 for the remaining one.
    let count = 0;
    while (busy() < 2) {
      await put(count++);
      if (count > 5_000) await timers.setTimeout(100);
    }
    for (const last = count + 60; count < last; ) await put(count++);
    await first.kill();
    await vi.waitUntil(async () => (await store.depth()).waiting === 0, { timeout: 120_000 });
    await second.kill("SIGTERM");
    await store.close();

    const lines = linesOf(journal).map((line) => line.split(" "));
    const facts = (word: string) => lines.filter(([, said]) => said === word).map(([, , fact]) => fact);
    const begunTwice = facts("begun").length - new Set(facts("begun")).size;
    expect(new Set(facts("done")).size).toBe(count);
    // In each of the killed process's four lanes, another process started one event again.
    expect(begunTwice).toBeLessThanOrEqual(4);
    expect(busy()).toBe(2);
    for (let lane = 0; lane < 10; lane += 1) {
      const ids = [...new Set(facts("done"))]
        .map((fact) => Number(fact?.split("|").at(-1)))
        .filter((id) => id % 10 === lane);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    }
  });
});

function linesOf(journal: string): string[] {
  try {
    return readFileSync(journal, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}
