import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Platform } from "../../platform/create-platform.ts";
import { noFaults } from "../../platform/faults/control.ts";

/**
 * Replaces the state. Ends the functions' processes, deliveries and answers in progress, and faults.
 * @param put replaces the state synchronously
 */
export async function exchangeContents(
  { platform, cloud }: { platform: Platform; cloud: Cloud },
  put: () => void,
): Promise<void> {
  // Before the functions end: a stopped or slow service would delay their requests.
  cloud.faults.set({});
  platform.faults.set(noFaults);
  await cloud.halt();
  try {
    put();
  } finally {
    cloud.resume();
  }
}
