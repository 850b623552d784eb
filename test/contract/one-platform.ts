import { afterAll, beforeAll, beforeEach } from "vitest";
import { createPlatform, type Platform, type PlatformOptions } from "../../local/platform/create-platform.ts";

/** The platform of a file's tests, reset before each. */
export function onePlatform(
  options: PlatformOptions = {},
  started: (platform: Platform) => void = () => undefined,
): () => Platform {
  let platform: Platform;
  beforeAll(async () => {
    platform = await createPlatform(options);
    started(platform);
  });
  beforeEach(() => platform.reset());
  afterAll(() => platform.close());
  return () => platform;
}
