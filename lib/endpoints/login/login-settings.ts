import * as z from "zod/mini";
import { chosenId, duration, durationMs } from "../../base/config-fields.ts";
import { originPattern } from "../own/cors.ts";
import { jwtSettingsSchema } from "../own/jwt/jwt-settings.ts";

const claim = z.string().check(z.minLength(1), z.maxLength(200));

const uidSchema = z.strictObject({
  claim: z._default(claim, "sub"),
  /**
   * `exact`: the claim is a uid; others, also with capitals, are refused. `lowered`: for issuers whose ids do
   * not differ only by case. `hashed`: of issuer and claim, whatever they contain.
   */
  form: z._default(z.enum(["exact", "lowered", "hashed"]), "exact"),
  prefix: z._default(
    z.string().check(z.regex(/^[a-z0-9_-]{0,30}$/, { message: "must be of a-z 0-9 - _" })),
    "",
  ),
  reserved: z._default(z.array(chosenId()), []),
});

const roleSchema = z.strictObject({ claim, allowed: z.array(chosenId()).check(z.minLength(1)) });

const userSchema = z.strictObject({
  uid: z._default(uidSchema, uidSchema.parse({})),
  /** Absent fields are not changed. */
  name: z.optional(claim),
  avatar: z.optional(claim),
  link: z.optional(claim),
  role: z.optional(roleSchema),
  /** By field: texts, numbers and booleans. */
  metadata: z._default(
    z.record(
      z.string().check(z.regex(/^[\w-]{1,50}$/, { message: "must be a name of letters, digits, - and _" })),
      claim,
    ),
    {},
  ),
  /** Users without an account. */
  unknown: z._default(z.enum(["create", "refuse"]), "create"),
});

const atLeastAMinute = duration().check(
  z.refine((text) => durationMs(text) >= 60_000 && durationMs(text) <= 86_400_000, {
    message: "must be from 1min to 1d",
  }),
);

const limitsSchema = z.strictObject({
  perUser: z._default(z.number().check(z.int(), z.gte(1)), 10),
  perSource: z._default(z.number().check(z.int(), z.gte(1)), 100),
  window: z._default(atLeastAMinute, "10min"),
});

const origin = z.string().check(
  z.regex(originPattern, {
    message: "must be like https://chat.example.com, without a path, the usual port and *",
  }),
);

export const loginSettingsSchema = z.strictObject({
  /** `off`: the function answers 404. */
  login: z.union([z.literal("off"), jwtSettingsSchema]),
  user: z._default(userSchema, userSchema.parse({})),
  /** Pages that may request tokens. */
  origins: z._default(z.array(origin), []),
  limits: z._default(limitsSchema, limitsSchema.parse({})),
  /** `kept`: may repeat an earlier token. `new`: each login gets its own. */
  token: z._default(z.enum(["kept", "new"]), "kept"),
});

export type LoginSettings = z.infer<typeof loginSettingsSchema>;
