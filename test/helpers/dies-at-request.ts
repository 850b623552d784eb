import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

interface Life {
  left: number;
  readonly counts: (request: ClientRequest) => boolean;
  readonly died: () => void;
}

const lives = new AsyncLocalStorage<Life>();

// Node publishes every request of its own client before it is sent.
// https://nodejs.org/api/diagnostics_channel.html#http
channel("http.client.request.created").subscribe((message) => {
  const life = lives.getStore();
  if (life === undefined || typeof message !== "object" || message === null) return;
  if (!("request" in message) || !isRequest(message.request)) return;
  if (life.left >= 0 && life.counts(message.request)) life.left -= 1;
  if (life.left >= 0) return;
  message.request.destroy(new Error("The process is dead."));
  life.died();
});

/**
 * Runs a function that crashes at its request of a number: that one and all later ones are never sent, and
 * its later effects never happen. Returns whether it completed.
 * @param counts Which requests are numbered; default: all. Those that only read do not change the world.
 */
export async function diesAtRequest(
  number: number,
  act: () => Promise<unknown>,
  counts: Life["counts"] = () => true,
): Promise<"died" | "lived"> {
  return await new Promise((resolve, reject) => {
    const life: Life = { left: number, counts, died: () => resolve("died") };
    lives.run(life, () => {
      act().then(() => resolve("lived"), reject);
    });
  });
}

function isRequest(value: unknown): value is ClientRequest {
  return typeof value === "object" && value !== null && "destroy" in value;
}
