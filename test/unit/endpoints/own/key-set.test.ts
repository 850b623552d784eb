import { describe, expect, it } from "vitest";
import { createKeySet, unknownKeyPauseMs } from "../../../../lib/endpoints/own/jwt.ts";

describe("createKeySet", () => {
  it("gives a slow issuer as much time for its next set as for its first", async () => {
    let nowMs = 1_000_000;
    const allowedMs: number[] = [];
    const fetchKeySet = async (_url: string, deadlineMs: number) => {
      allowedMs.push(deadlineMs - nowMs);
      return '{"keys":[]}';
    };
    const keySet = createKeySet("https://login.example.com/jwks.json", fetchKeySet, () => nowMs);
    const deadlineMs = () => nowMs + 9_000;

    await keySet.get(deadlineMs());
    nowMs += 600_000;
    await keySet.get(deadlineMs());
    nowMs += unknownKeyPauseMs;
    await keySet.refresh(unknownKeyPauseMs, deadlineMs());

    // lib/endpoints/own/jwt/fetch-key-set.ts waits for 3 s: who takes that long must not keep yesterday's keys alive.
    expect(allowedMs.map((ms) => ms >= 3_000)).toEqual([true, true, true]);
  });
});
