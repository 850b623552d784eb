import { describe, expect, it } from "vitest";
import { countFailedReads } from "../../../../lib/aws/secrets/secret-reader.ts";

const named = (name: string) => Object.assign(new Error("It is not there."), { name });

function reading(outcome: string | Error) {
  const counted: unknown[] = [];
  const read = countFailedReads(
    async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    (...args) => void counted.push(args),
  );
  return { read, counted };
}

describe("countFailedReads", () => {
  it("counts a reading that fails, with its cause, and lets it fail", async () => {
    const { read, counted } = reading(named("AccessDeniedException"));

    await expect(read("stage/app-1")).rejects.toThrow("It is not there.");

    expect(counted).toEqual([
      [
        "SecretNotRead",
        { secret: "stage/app-1" },
        { cause: expect.stringContaining("AccessDeniedException") },
      ],
    ]);
  });

  it("counts a secret that is not there, but not a version that is not", async () => {
    const { read, counted } = reading(named("ResourceNotFoundException"));

    await expect(read("stage/app-1", "AWSPREVIOUS")).rejects.toThrow();
    expect(counted).toHaveLength(0);
    await expect(read("stage/app-1")).rejects.toThrow();
    expect(counted).toHaveLength(1);
  });

  it("says nothing of what was read", async () => {
    const { read, counted } = reading("the value");

    expect(await read("stage/app-1")).toBe("the value");
    expect(counted).toEqual([]);
  });
});
