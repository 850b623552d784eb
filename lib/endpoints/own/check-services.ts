import * as z from "zod/mini";
import { aFunctionGiven, aLogGiven, anObjectWith, checkCall } from "../../chat/check-call.ts";

/** @throws InvalidInputError */
export function checkServices(maker: string, services: unknown): void {
  const called = aFunctionGiven();
  const schema = z.looseObject({
    access: anObjectWith("a way to apps: { appIds, open, secretOf }", "open", "secretOf"),
    log: aLogGiven(),
    ...{ takeTurn: called, count: called, hint: called, now: called },
  });
  checkCall(`on of ${maker}`, "services", schema, services);
}
