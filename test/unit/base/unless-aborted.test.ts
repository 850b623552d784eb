import { describe, expect, it, vi } from "vitest";
import { unlessAborted } from "../../../lib/base/unless-aborted.ts";

const never = () => new Promise<never>(() => undefined);

describe("unlessAborted", () => {
  it.each([undefined, new AbortController().signal])(
    "gives what is done, with the signal %s",
    async (signal) => {
      await expect(unlessAborted(signal, async () => "done")).resolves.toBe("done");
      await expect(unlessAborted(signal, () => Promise.reject(new Error("failed")))).rejects.toThrow(
        "failed",
      );
    },
  );

  it("rejects with the reason as soon as there is one, whatever is under way", async () => {
    const stop = new AbortController();

    const waiting = unlessAborted(stop.signal, never);
    stop.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
  });

  it("begins nothing after an abort", async () => {
    const act = vi.fn(never);

    const waiting = unlessAborted(AbortSignal.abort(new Error("enough")), act);

    await expect(waiting).rejects.toThrow("enough");
    expect(act).not.toHaveBeenCalled();
  });

  it("ignores what comes later, a failure too", async () => {
    const stop = new AbortController();
    const late = Promise.withResolvers<string>();

    const waiting = unlessAborted(stop.signal, () => late.promise);
    stop.abort(new Error("enough"));
    late.reject(new Error("too late"));

    await expect(waiting).rejects.toThrow("enough");
  });

  it.each([async () => "done", () => Promise.reject(new Error("failed"))])(
    "leaves nothing listening to a signal that lives on",
    async (act) => {
      const { signal } = new AbortController();
      const listening = vi.spyOn(signal, "addEventListener");
      const leaving = vi.spyOn(signal, "removeEventListener");

      await unlessAborted<string>(signal, act).catch(() => undefined);

      expect(listening).toHaveBeenCalledOnce();
      expect(leaving.mock.calls).toEqual(listening.mock.calls);
    },
  );
});
