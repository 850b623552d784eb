import { onTestFinished } from "vitest";
import { createRotationWorld } from "../../../helpers/rotation-world.ts";

export async function createWorld() {
  const world = await createRotationWorld();
  onTestFinished(() => world.close());
  return world;
}

export async function settle<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [end] = await Promise.allSettled([work]);
  return end;
}
