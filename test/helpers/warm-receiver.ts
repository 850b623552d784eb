import timers from "node:timers/promises";
import { probeBody, probeHeaders } from "../../lib/receive/probe.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";

/** Waits for a process of the receiver that has its secret: before, it answers 503. */
export async function warmReceiver({ webhook }: Pick<LocalStack, "webhook">): Promise<void> {
  const { url, username, password } = webhook;
  const headers = probeHeaders(username, password, undefined);
  for (let tries = 0; tries < 60; tries += 1) {
    const { status, body } = await fetch(url, { method: "POST", headers, body: probeBody });
    await body?.cancel();
    if (status !== 503) return;
    await timers.setTimeout(1_000);
  }
  throw new Error("The receiver is not ready after a minute.");
}

export async function warmAndReset(world: Pick<LocalStack, "webhook" | "cloud">): Promise<void> {
  await warmReceiver(world);
  await world.cloud.settled();
  await world.cloud.reset();
}
