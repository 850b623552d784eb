import { describe, expect, it, onTestFinished } from "vitest";
import { createPlatform, type PlatformOptions } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { comparePlatforms, type Target } from "./compare-platforms.ts";

async function startTarget(options: PlatformOptions = {}): Promise<Target> {
  const platform = await createPlatform(options);
  onTestFinished(() => platform.close());
  const [{ appId, region, fullAccessKey: apiKey }] = defaultSeed.apps;
  return { appId, region, apiKey, baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3` };
}

describe("comparePlatforms", () => {
  it("finds no difference between two that are alike, and leaves them as they were", async () => {
    const [one, other] = [await startTarget(), await startTarget()];

    expect(await comparePlatforms(one, other)).toEqual([]);
    expect(await comparePlatforms(one, other)).toEqual([]);
  });

  it("names the step and what differs in it", async () => {
    const fault = { on: "request", operationId: "get-user", fault: "serverError", status: 418 } as const;

    const differences = await comparePlatforms(
      await startTarget(),
      await startTarget({ faults: { rules: [fault] } }),
    );

    expect(differences.map(({ step }) => step)).toEqual(["get a user", "get a missing user"]);
    expect(differences[0]?.one).toContain("uid: string");
    expect(differences[0]?.other).toEqual([expect.stringMatching(/^refused with 418 /)]);
  });
});
