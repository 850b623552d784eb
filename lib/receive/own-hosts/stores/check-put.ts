import * as z from "zod/mini";
import { lazy } from "../../../base/lazy.ts";
import { checkCall } from "../../../chat/check-call.ts";

/** Checks arguments, in microseconds. @throws InvalidInputError */
export function checkPut(delivery: unknown, limits: unknown): void {
  checkCall("put", "delivery", deliverySchema(), delivery);
  checkCall("put", "limits", limitsSchema(), limits);
}

const limitsSchema = /* @__PURE__ */ lazy(() => z.strictObject({ deadlineMs: z.number() }));

const facts = () => ({
  appId: z.string(),
  raw: z.instanceof(Uint8Array, { message: "bytes, as a Uint8Array has them" }),
  receivedAt: z.int("milliseconds since 1970, whole"),
});
const identity = () =>
  z.looseObject({ trigger: z.string(), key: z.string(), lane: z.string(), canRecur: z.boolean() });

const deliverySchema = /* @__PURE__ */ lazy(() =>
  z.union([
    z.looseObject({ ...facts(), event: z.looseObject({}), identity: identity() }),
    z.looseObject({
      ...facts(),
      event: z.undefined(),
      identity: z.optional(identity()),
      reason: z.string(),
      problems: z.array(z.looseObject({ path: z.string(), expected: z.string(), found: z.string() })),
    }),
  ]),
);
