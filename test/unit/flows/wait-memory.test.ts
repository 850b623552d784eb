import { describe, expect, it } from "vitest";
import { sortable } from "../../../lib/flows/flow-marks.ts";
import { createWaitMemory, type OpenWait } from "../../../lib/flows/wait-memory.ts";

const nowMs = 1_000_000_000_000;
const hourMs = 3_600_000;

function waitAt(atMs: number, flowId = `flow-${atMs - nowMs}`): OpenWait {
  const ids = { appId: "app-1", trigger: "message_sent", flowId, callbackId: `callback of ${flowId}` };
  const places = [{ waits: "app-1 message_sent", flow: `${sortable(atMs)} ${flowId}` }];
  return { ...ids, where: {}, sinceMs: atMs, untilMs: atMs + hourMs, knownKeys: [], places };
}

/** A memory over a table of questions, which records where each read begins. */
function createRemembered(...stored: OpenWait[]) {
  const memory = createWaitMemory();
  const readFroms: string[] = [];
  const readFrom = async (from: string) => {
    readFroms.push(from);
    return stored.filter(({ places: [place] = [] }) => (place?.flow ?? "") >= from);
  };
  const read = async (atMs: number, ...more: [maxAgeMs?: number]) => {
    const waits = await memory.read("app-1 message_sent", atMs, readFrom, ...more);
    return [...waits].map(({ flowId }) => flowId);
  };
  return { memory, stored, readFroms, read };
}

describe("createWaitMemory", () => {
  it("reads all questions once, and then those since half a minute before the latest read", async () => {
    const { stored, readFroms, read } = createRemembered(waitAt(nowMs));

    const first = await read(nowMs + 1);
    stored.push(waitAt(nowMs + 2));
    const second = await read(nowMs + 60_000);
    await read(nowMs + 50_000);
    await read(nowMs + 70_000);

    expect([first, second]).toEqual([["flow-0"], ["flow-0", "flow-2"]]);
    const since = [nowMs + 1, nowMs + 60_000, nowMs + 60_000].map((atMs) => sortable(atMs - 30_000));
    expect(readFroms).toEqual(["0", ...since]);
  });

  it.each([
    ["an hour", undefined, hourMs],
    ["the time that is asked for", 5_000, 5_000],
  ])("reads all again after %s, because many may be closed by then", async (_case, maxAgeMs, ageMs) => {
    const { stored, readFroms, read } = createRemembered(waitAt(nowMs));
    await read(nowMs, maxAgeMs);
    stored.length = 0;

    const before = await read(nowMs + ageMs, maxAgeMs);
    const after = await read(nowMs + ageMs + 1, maxAgeMs);

    expect([before, after]).toEqual([["flow-0"], []]);
    expect(readFroms.filter((from) => from === "0")).toHaveLength(2);
  });

  it("reads all again when more than 1,000 plus twice the initial number are known", async () => {
    const { stored, readFroms, read } = createRemembered(waitAt(nowMs));
    await read(nowMs);
    for (let index = 1; index <= 1_001; index += 1) stored.push(waitAt(nowMs + index));
    await read(nowMs + 1_001);
    await read(nowMs + 1_002);
    stored.push(waitAt(nowMs + 1_003));
    await read(nowMs + 1_003);
    const loadsBefore = readFroms.filter((from) => from === "0").length;

    await read(nowMs + 1_004);

    expect([loadsBefore, readFroms.filter((from) => from === "0").length]).toEqual([1, 2]);
  });

  it("lets a second reader wait for the first, even if that one fails", async () => {
    const memory = createWaitMemory();
    const loads: PromiseWithResolvers<readonly OpenWait[]>[] = [];
    const readFroms: string[] = [];
    const readFrom = (from: string) => {
      readFroms.push(from);
      const load = Promise.withResolvers<readonly OpenWait[]>();
      loads.push(load);
      return load.promise;
    };
    const read = () => memory.read("app-1 message_sent", nowMs, readFrom);

    const failing = read();
    const second = read();
    loads[0]?.reject(new Error("The table does not answer."));
    await expect(failing).rejects.toThrow("does not answer");
    await expect.poll(() => loads.length).toBe(2);
    const third = read();
    loads[1]?.resolve([waitAt(nowMs)]);
    expect([...(await second)]).toHaveLength(1);
    await expect.poll(() => loads.length).toBe(3);
    loads[2]?.resolve([]);

    expect([...(await third)]).toHaveLength(1);
    expect(readFroms).toEqual(["0", "0", sortable(nowMs - 30_000)]);
  });

  it("forgets a closed question", async () => {
    const wait = waitAt(nowMs);
    const { memory, stored, read } = createRemembered(wait, waitAt(nowMs + 1));
    await read(nowMs + hourMs / 2);

    memory.forget(wait.places?.[0]?.flow ?? "");
    stored.length = 0;

    expect(await read(nowMs + hourMs / 2)).toEqual(["flow-1"]);
  });
});
