import type { Fetch } from "../../lib/chat/lean-fetch.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/finding.ts";

/**
 * Compares this machine's clock with the HTTP API's. AWS refuses signatures that are five minutes off
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html).
 */
export async function checkClock(fetch: Fetch, httpUrl: string, now: () => number): Promise<Found> {
  const before = now();
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(httpUrl, { method: "GET", headers: {}, body: null, redirect: "manual", signal });
  await answer.text();
  const after = now();
  const told = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(told)) return unknown("The HTTP API's answer has no time.");
  // The header has whole seconds, and the round trip takes time.
  const offMs = told + 500 - (before + after) / 2;
  if (Math.abs(offMs) <= toleranceMs + (after - before) / 2) return ok("This machine's clock is correct.");
  const seconds = Math.round(Math.abs(offMs) / 1000);
  return wrong(
    `This machine's clock is ${seconds} s ${offMs > 0 ? "behind" : "ahead"}: AWS refuses what is signed 5 minutes off.`,
    "Set this machine's clock by the network's time",
  );
}

const toleranceMs = 30_000;
