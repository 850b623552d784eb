import { describe, expect, it, vi } from "vitest";
import { PermanentError } from "../../../lib/base/permanent-error.ts";
import { deployedFlows } from "../../../lib/flows/define-flow.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { messageFlow } from "./flow-world.ts";

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
