import { afterAll, beforeAll, vi } from "vitest";
import type { runTrigger } from "../../../local/testing/run-trigger.ts";

/** Lets the kit decide what is logged, as in a user's tests. */
export function letKitDecide(): void {
  beforeAll(() => void vi.stubEnv("LOG_FOREIGN_MESSAGES", ""));
  afterAll(() => void vi.unstubAllEnvs());
}

type PlayedPlatform = Awaited<ReturnType<typeof runTrigger>>["platform"];

/** Reads from the platform of a story. */
export async function readFrom(platform: PlayedPlatform, path: string): Promise<unknown> {
  const { fullAccessKey: apikey } = platform.keys;
  return (await platform.fetch(`${platform.appUrl("app-1", "eu")}${path}`, { headers: { apikey } })).json();
}
