import { describe, expect, it } from "vitest";
import type { FlowDetail, FlowKinds, FlowList, FlowRow } from "../../../local/console/api/flows.ts";
import { isNight } from "../../helpers/by-day.ts";
import { copyWithFlows, flowsCloud } from "../../helpers/flows-project.ts";
import { useConsole } from "../../helpers/use-console.ts";

const folder = await copyWithFlows();
const consoleUnderTest = useConsole({ cloud: flowsCloud(folder) });

const ask = <Answer>(path: string, body?: object) => consoleUnderTest.answer<Answer>(`/api/${path}`, body);
const send = (path: string, body?: object) => consoleUnderTest.send(`/api/${path}`, body);

function start(flow: string, input: unknown) {
  return ask<{ id: string }>("flows", { flow, appId: "local-app", input }).then(({ id }) => id);
}

/** Waits until a flow meets a condition. */
async function until(id: string, isMeant: (flow: FlowDetail) => boolean): Promise<FlowDetail> {
  let flow: FlowDetail | undefined;
  await expect
    .poll(async () => {
      flow = await ask<FlowDetail>(`flows/${id}`);
      return isMeant(flow) || flow;
    })
    .toBe(true);
  if (flow === undefined) throw new Error("unreachable");
  return flow;
}

const isWaitingFor = (words: string) => (flow: FlowDetail) => flow.waits.some((wait) => wait.words === words);

describe("the console's routes for flows", () => {
  it("lists the source's flows with their input", async () => {
    expect(await ask<FlowKinds>("flow-kinds")).toEqual({
      kinds: [
        { name: "remind", waitsFor: ["message_sent"], input: { uid: "", what: "" } },
        { name: "breaks", waitsFor: [], input: { count: 0 } },
        { name: "insists", waitsFor: [], input: {} },
        { name: "long", waitsFor: [], input: { steps: 0 } },
        { name: "slips", waitsFor: [], input: { uid: "" } },
      ],
    });
  });

  it.runIf(isNight)("skips the wait for an event, and reports that none came", async () => {
    const id = await start("remind", { uid: "alice", what: "tea" });
    for (const words of ["waits", "waits for message_sent"]) {
      const { waits } = await until(id, isWaitingFor(words));
      await ask(`flows/${id}/fire`, { operationId: waits[0]?.operationId });
    }
    const ended = await until(id, ({ state }) => state === "succeeded");
    expect(ended.result?.text).toBe('{"isAnswered":false}');
    expect(ended.steps).toMatchObject([
      { name: "greet" },
      { kind: "wait" },
      { kind: "event", state: "done", words: "timed out without an event" },
      { name: "remind", state: "done" },
    ]);
  });

  it("names the source line in which a flow failed", async () => {
    const failed = await until(await start("breaks", { count: 1 }), ({ state }) => state === "failed");
    expect(failed.error).toMatchObject({ message: expect.stringMatching(/undefined/) });
    expect(failed.place).toMatch(/functions\/own\/remind\.ts:\d+/);
    expect(failed.words).toMatch(/TypeError/);
  });

  it("sorts, filters and searches", async () => {
    const all = await ask<FlowList>("flows");
    const abouts = async (query: string) =>
      (await ask<FlowList>(`flows?${query}`)).rows.map(({ about }: FlowRow) => about);
    const times = all.rows.map(({ startedAtMs }) => startedAtMs);

    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(all.counts).toMatchObject({ failed: 1 });
    expect(await abouts("state=failed")).toEqual(["count 1"]);
    expect(await abouts("search=count%201&flow=breaks")).toEqual(["count 1"]);
    expect([...(await abouts("flow=long")), ...(await abouts("app=other"))]).toEqual([]);
  });

  it("shows no secret in a whole value, nor a part of one in a cut value", async () => {
    const { fullAccessKey } = consoleUnderTest.world.app;
    const id = await start("remind", { uid: "alice", what: `${"x".repeat(560)} ${fullAccessKey} end` });

    const { input } = await ask<FlowDetail>(`flows/${id}`);
    const whole = await fetch(consoleUnderTest.at(`/api/flows/${id}/values/input`));

    expect(input).toMatchObject({
      isCut: true,
      text: expect.not.stringContaining(fullAccessKey.slice(0, 8)),
    });
    expect(await whole.text()).toMatch(/x \[redacted\] end"\}$/);
  });

  it("shows why a step is retried, and retries it immediately on request", async () => {
    const rules = [{ on: "request", path: "/messages", fault: "tooManyRequests", retryAfterSeconds: 60 }];
    const faults = `${consoleUnderTest.world.platform.url}/_platform/faults`;
    await fetch(faults, { method: "PUT", body: JSON.stringify({ rules }) });
    const id = await start("insists", {});
    const waiting = await until(id, ({ waits }) => waits[0]?.fire === "try now");

    await ask(`flows/${id}/fire`, { operationId: waiting.waits[0]?.operationId });
    const again = await until(id, ({ steps }) => (steps[0]?.tries.length ?? 0) > 1);

    expect(waiting.steps).toMatchObject([{ name: "reach nobody", state: "waiting" }]);
    expect(waiting.words).toMatch(/^“reach nobody” will be retried: Chat\w+Error/);
    expect(again.steps[0]?.tries[0]).toMatchObject({ isGood: false });
  });

  it.each([
    ["flows/remind_0", undefined, 404, /There is no flow remind_0.* newest 1,000 ended flows are kept/],
    ["flows", { flow: "remind", appId: "local-app", input: { uid: 7 } }, 400, /is invalid: uid: .*; what: /],
    ["flows", { flow: "unknown", appId: "local-app", input: {} }, 404, /no flow "unknown"/],
    ["flows", { flow: "remind", appId: "nothing", input: {} }, 404, /no app nothing/],
    ["flows/remind_0/cancel", { reason: 7 }, 400, /reason/],
  ])("refuses %s %o", async (path, body, status, message) => {
    expect(await send(path, body)).toMatchObject({
      status,
      body: { error: { message: expect.stringMatching(message) } },
    });
  });
});
