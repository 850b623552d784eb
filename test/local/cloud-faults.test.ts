import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createCloudFaults, noCloudFaults } from "../../local/cloud/faults/cloud-faults.ts";

const ill = (change: object) => ({
  services: { ...noCloudFaults.services, sqs: { ...noCloudFaults.services.sqs, ...change } },
});

describe("createCloudFaults", () => {
  it("cuts and counts every call to a service that is down", async () => {
    const faults = createCloudFaults();
    const request = call();
    faults.set(ill({ isDown: true }));

    const struck = await faults.of("sqs").strike(request);

    expect(struck).toBe("down");
    expect(request.socket.destroyed).toBe(true);
    expect(await faults.of("dynamodb").strike(call())).toBeUndefined();
    expect(faults.strikes().services.sqs).toEqual({ down: 1, throttled: 0, slow: 0 });
  });

  it.each([
    { callers: "functions", struck: ["local-processEvents"] },
    { callers: undefined, struck: ["local-processEvents", "local"] },
  ] as const)("strikes the calls of $callers, and never the console's", async ({ callers, struck }) => {
    const faults = createCloudFaults(() => 0);
    faults.set({ ...ill({ throttled: 1 }), callers });
    const hit = [];
    for (const keyId of ["local-processEvents", "local", "console"]) {
      const request = call(`AWS4-HMAC-SHA256 Credential=${keyId}/20260101/us-east-1/sqs/x`);
      if (await faults.of("sqs").strike(request)) hit.push(keyId);
    }

    expect(hit).toEqual(struck);
  });

  it("ends at its time, and keeps its counts", async () => {
    let nowMs = 1_000;
    const faults = createCloudFaults(
      () => 0,
      () => nowMs,
    );
    faults.set({ ...ill({ throttled: 1 }), doubled: 1, concurrency: { webhook: 1 }, untilMs: 2_000 });
    await faults.of("sqs").strike(call());

    nowMs = 2_000;

    expect(await faults.of("sqs").strike(call())).toBeUndefined();
    expect([faults.doubles(), faults.concurrencyOf("webhook")]).toEqual([false, undefined]);
    expect(faults.settings()).toEqual(noCloudFaults);
    expect(faults.strikes().services.sqs.throttled).toBe(1);
  });

  it("throttles at random", async () => {
    const chances = [0.2, 0.7];
    const faults = createCloudFaults(() => chances.shift() ?? 1);
    faults.set(ill({ throttled: 0.5 }));

    expect(await faults.of("sqs").strike(call())).toBe("throttled");
    expect(await faults.of("sqs").strike(call())).toBeUndefined();
    expect(faults.strikes().services.sqs.throttled).toBe(1);
  });

  it("ends a slow call without effect if its caller has disconnected", async () => {
    const faults = createCloudFaults();
    const request = call();
    faults.set(ill({ slowMs: 1 }));

    const strike = faults.of("sqs").strike(request);
    request.socket.destroy();

    expect(await strike).toBe("down");
  });

  it("keeps the counts of unchanged faults, and resets those of changed ones", async () => {
    const faults = createCloudFaults(() => 0);
    const rule = {
      functionKey: "webhook",
      chance: 1,
      point: { service: "sqs", nth: 1, when: "before" },
    } as const;
    faults.set({ ...ill({ throttled: 1 }), doubled: 1, kills: [rule] });
    await faults.of("sqs").strike(call());
    faults.doubles();
    faults.killPointFor("webhook")?.struck();

    faults.set({ ...ill({ throttled: 1 }), doubled: 0.5, kills: [{ ...rule, chance: 0.5 }, rule] });

    expect(faults.strikes()).toMatchObject({
      services: { sqs: { throttled: 1 } },
      doubled: 0,
      kills: [0, 1],
    });
  });
});

/** The part of a request that faults read. */
function call(authorization?: string): IncomingMessage {
  const socket = {
    destroyed: false,
    destroy() {
      socket.destroyed = true;
    },
  };
  return { socket, headers: { authorization } } as unknown as IncomingMessage;
}
