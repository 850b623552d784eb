import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { PlatformError } from "../errors/platform-error.ts";
import type { RequestFault } from "../faults/rules.ts";
import { defined } from "../json.ts";
import type { Services } from "../services/services.ts";
import type { ClientConnection, WrittenAnswer } from "./client-connection.ts";

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
    connectionOf(context).drop();
    throw new ConnectionDropped();
  }
  if (fault.code !== undefined) {
    throw new PlatformError(fault.code, fault.message ?? "A fault was planned for this call.", {
      ...defined({ status: fault.status }),
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
  answer: WrittenAnswer,
): Promise<Response> {
  if (fault?.connection === undefined || fault.connection === "dropBefore") {
    return new Response(bodiless.includes(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: answer.headers,
    });
  }
  const connection = connectionOf(context);
  if (fault.connection === "dropAfter") connection.drop();
  if (fault.connection === "hang") await connection.untilClosed();
  if (fault.connection === "truncate") connection.sendHalf(answer);
  return RESPONSE_ALREADY_SENT;
}

/** Statuses with which a Response takes no body, not even an empty one. */
const bodiless: readonly number[] = [204, 205, 304];

function connectionOf(context: Context): ClientConnection {
  const { env }: { env: { connection: ClientConnection } } = context;
  return env.connection;
}
