import type { Target } from "../target/target.ts";

/** Asks the deployment which triggers each app's webhook must be subscribed to. */
export async function readNeededTriggers(
  _target: Target,
): Promise<(appId: string) => readonly string[] | undefined> {
  return () => undefined;
}
