import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { PlatformError } from "../errors/platform-error.ts";
import type { RequestFault } from "../faults/plan.ts";
import type { Services } from "../services/services.ts";

/**
 * Does what a fault wants before the request is done: waits, refuses, or closes the connection.
 * @throws PlatformError the refusal, @throws ConnectionDropped when nobody is there to answer any more
 */
export async function spoilRequest(
  { clock }: Services,
  context: Context,
  fault: RequestFault,
): Promise<void> {
  if (fault.delayMs !== undefined) {
    const dueMs = clock.now() + fault.delayMs;
    await new Promise<void>((resolve) => void clock.schedule(dueMs, resolve));
  }
  if (fault.connection === "dropBefore") {
    bindingsOf(context).incoming.socket.destroy();
    throw new ConnectionDropped();
  }
  if (fault.code !== undefined) {
    throw new PlatformError(fault.code, fault.message ?? "A fault was planned for this call.", {
      ...(fault.status === undefined ? {} : { status: fault.status }),
      ...(fault.retryAfterSeconds === undefined
        ? {}
        : {
            headers: {
              "retry-after": String(fault.retryAfterSeconds),
              "x-rate-limit-reset": String(Math.ceil(clock.now() / 1_000) + fault.retryAfterSeconds),
            },
          }),
    });
  }
}

/** Signals that a planned fault closed the connection: there is nothing to answer. */
export class ConnectionDropped extends Error {
  constructor() {
    super("A planned fault closed the connection.");
    this.name = "ConnectionDropped";
  }
}

/** Sends the answer of a request that is done, as its fault wants: whole, half, never, or not at all. */
export async function sendSpoiled(
  context: Context,
  fault: RequestFault | undefined,
  answer: { status: number; headers: Record<string, string>; text: string },
): Promise<Response> {
  if (fault?.connection === undefined || fault.connection === "dropBefore") {
    // A 204 must not have a body.
    return new Response(answer.status === 204 ? null : answer.text, {
      status: answer.status,
      headers: answer.headers,
    });
  }
  const { incoming, outgoing } = bindingsOf(context);
  if (fault.connection === "dropAfter") incoming.socket.destroy();
  if (fault.connection === "hang" && !incoming.socket.destroyed) {
    await new Promise<void>((resolve) => incoming.socket.once("close", () => resolve()));
  }
  if (fault.connection === "truncate") {
    const bytes = Buffer.from(answer.text, "utf8");
    outgoing.writeHead(answer.status, { ...answer.headers, "content-length": bytes.length });
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => incoming.socket.destroy());
  }
  return RESPONSE_ALREADY_SENT;
}

function bindingsOf(context: Context): HttpBindings {
  const { env }: { env: HttpBindings } = context;
  return env;
}
