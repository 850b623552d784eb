import * as z from "zod/mini";
import { lazy } from "../../../../base/lazy.ts";

// Lazy: other stores do not load it.
const rowSchema = /* @__PURE__ */ lazy(() =>
  z.object({
    id: z.number(),
    app_id: z.string(),
    received_at: z.number(),
    raw: z.instanceof(Uint8Array),
    trigger: z.nullable(z.string()),
    key: z.nullable(z.string()),
    can_recur: z.number(),
    fact: z.nullable(z.string()),
    lane: z.nullable(z.string()),
    tries: z.number(),
    set_aside: z.nullable(z.string()),
    set_aside_at: z.nullable(z.number()),
    cause: z.nullable(z.string()),
  }),
);

export type StoredDelivery = z.infer<ReturnType<typeof rowSchema>>;

export function toStoredDelivery(row: unknown): StoredDelivery {
  return rowSchema().parse(row);
}
