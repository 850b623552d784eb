import { describe, expect, it } from "vitest";
import { events } from "../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../local/testing/run-at-every-crash.ts";
import { answer, ask, escalation } from "./escalation-flow.ts";

describe("runAtEveryCrash", () => {
  it("does each step once wherever a process dies", { timeout: 600_000 }, async () => {
    const runs = await runAtEveryCrash(ask, events.messageSent(), { flows: [escalation] });

    const seen = runs.map(({ crash, sent, started, flows }) => [
      crash,
      started.length,
      sent.map(({ to }) => to),
      flows[0]?.result,
    ]);
    expect(runs.length).toBeGreaterThan(60);
    expect(runs.some(({ crash }) => crash === "after lambda.CheckpointDurableExecution")).toBe(true);
    expect(seen).toEqual(runs.map(({ crash }) => [crash, 1, ["ann", "bob"], "escalated"]));
  });

  it("does each step once wherever the process dies, with an answer that comes meanwhile", {
    timeout: 600_000,
  }, async () => {
    const options = { later: [{ after: "5min", event: answer }] } as const;

    const runs = await runAtEveryCrash(escalation, { uid: "ann" }, options);

    const seen = runs.map(({ crash, sent, result }) => [crash, sent.map(({ to }) => to), result]);
    expect(runs.length).toBeGreaterThan(40);
    expect(seen).toEqual(runs.map(({ crash }) => [crash, ["ann"], "answered"]));
  });
});
