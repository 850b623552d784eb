import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

interface Life {
  left: number;
  died: () => void;
}

const lives = new AsyncLocalStorage<Life>();

// Node tells of every request of its own client before it leaves.
// https://nodejs.org/api/diagnostics_channel.html#http
channel("http.client.request.created").subscribe((message) => {
  const life = lives.getStore();
  if (life === undefined) return;
  life.left -= 1;
  if (life.left >= 0) return;
  if (typeof message === "object" && message !== null && "request" in message && isRequest(message.request)) {
    message.request.destroy(new Error("The process is dead."));
  }
  life.died();
});

/**
 * Runs something that dies when its request of a number would leave: that one and all later ones are never sent, and what it
 * would have done after it never happens to the world. Tells whether it lived to its end.
 */
export async function diesAtRequest(number: number, act: () => Promise<unknown>): Promise<"died" | "lived"> {
  return await new Promise((resolve, reject) => {
    const life: Life = { left: number, died: () => resolve("died") };
    lives.run(life, () => {
      act().then(() => resolve("lived"), reject);
    });
  });
}

function isRequest(value: unknown): value is ClientRequest {
  return typeof value === "object" && value !== null && "destroy" in value;
}
