import * as z from "zod/mini";
import { checkCall } from "../../chat/check-call.ts";

/** @throws InvalidInputError if the user passed another function */
export function checkAnswer(call: string, response: unknown): void {
  const schema = z.custom<unknown>(
    (value) => value instanceof Response,
    "a function that gives a Response, as createWebhookReceiver makes it",
  );
  checkCall(call, "receive", schema, response ?? null);
}
