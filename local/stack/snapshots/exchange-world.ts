import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Platform } from "../../platform/create-platform.ts";
import { noFaults } from "../../platform/faults/control.ts";

/**
 * Puts another state in the place of a world's, so that nothing of the old one acts on the new one: the functions'
 * processes are ended, with what they remember, deliveries and answers that are under way are forgotten, and every fault
 * is off.
 * @param put exchanges the state at once; nothing runs meanwhile
 */
export async function exchangeWorld(
  { platform, cloud }: { platform: Platform; cloud: Cloud },
  put: () => void,
): Promise<void> {
  // Before the functions end: a service that is down or slow would hold up what they have sent.
  cloud.faults.set({});
  platform.faults.set(noFaults);
  await cloud.halt();
  try {
    put();
  } finally {
    cloud.resume();
  }
}
