import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import * as z3 from "zod/v3";
import { PermanentError } from "../../../lib/base/permanent-error.ts";
import { startFlow } from "../../../lib/effects/start-flow.ts";
import { checkFlowNames, defineFlow, deployedFlows, FlowNameError } from "../../../lib/flows/define-flow.ts";
import { secondsOf } from "../../../lib/flows/flow-length.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { fromFlowText, toFlowText } from "../../../lib/flows/flow-value.ts";
import { messageFlow } from "./flow-world.ts";

const byUid = z.object({ uid: z.string() });

describe("defineFlow", () => {
  it.each(["", "Welcome", "a b", "1st", "a".repeat(31)])("refuses the name %j", (name) => {
    expect(() => defineFlow(name, byUid, async () => {})).toThrow(FlowNameError);
  });

  it("says of a schema of zod 3 that it is of another zod, and nothing of its parts", () => {
    const define = () => Reflect.apply(defineFlow, undefined, ["a", z3.object({}), async () => {}]);

    expect(define).toThrow('"options" must be a schema of zod 4');
  });

  it("refuses two flows of one name", () => {
    const flow = defineFlow("a", byUid, async () => {});

    expect(() => checkFlowNames([flow, defineFlow("a", byUid, async () => {})])).toThrow('"a"');
    expect(() => checkFlowNames([flow])).not.toThrow();
  });
});

describe("startFlow", () => {
  const flow = defineFlow("greet", byUid, async () => {});

  it("refuses an input that does not fit, and one that is too large, without quoting them", () => {
    const wrong: never = { uid: 7 } as never;

    expect(() => startFlow(flow, wrong)).toThrow(PermanentError);
    expect(() => startFlow(flow, wrong)).toThrow(/uid: /);
    expect(() => startFlow(flow, { uid: "x".repeat(100_001) })).toThrow(/100000 bytes/);
    expect(startFlow(flow, { uid: "ann" }).kind).toBe("start-flow");
  });
});

describe("toFlowText", () => {
  it.each([
    { at: new Date(0), deep: [{ at: new Date(1.5e12) }], text: "a", none: null },
    { $date: 5 },
    { $plain: [["$date", 7]] },
    { $date: new Date(3) },
    "text",
    null,
    [],
  ])("writes %j so that it is read again as it was", (value) => {
    expect(fromFlowText(toFlowText(value))).toEqual(value);
  });

  it("writes null for what is no value", () => {
    expect(toFlowText(undefined)).toBe("null");
  });
});

describe("secondsOf", () => {
  it("adds up, and refuses less than a second and more than a year", () => {
    expect(secondsOf({ days: 1, hours: 1, minutes: 1, seconds: 0.5 })).toBe(90_061);
    expect(() => secondsOf({ minutes: 0 })).toThrow(RangeError);
    expect(() => secondsOf({ days: 367 })).toThrow(RangeError);
    expect(() => secondsOf({ seconds: Number.NaN })).toThrow(RangeError);
  });
});

const flow = messageFlow("greet", async () => undefined);

describe("a stage with flows: off", () => {
  it("waits for nothing that a flow would need", () => {
    vi.stubEnv("FLOWS", "off");
    const inStage = deployedFlows([flow]);
    vi.unstubAllEnvs();

    expect([inStage, deployedFlows([flow])]).toEqual([[], [flow]]);
  });

  it("dead-letters an event whose trigger starts a flow all the same, at once and without a request", async () => {
    const send = async () => {
      throw new Error("a request");
    };
    const table = { get: send, put: send, update: send, delete: send, query: send, batchGet: send };
    const { start } = createFlowStarter({
      callAws: send,
      marks: createFlowMarks(table as never, Date.now),
      functionName: "",
    });

    await expect(
      start({ flow: "greet", appId: "app-1", waitsFor: [], input: {} } as never, "1"),
    ).rejects.toThrow(PermanentError);
  });
});
