import * as z from "zod/mini";
import { checkNames } from "../../lib/operate/doctor/run-checks.ts";

/** Parses what the doctor prints with `--json`. */
export const findingSchema = z.strictObject({
  check: z.enum(checkNames),
  appId: z.optional(z.string()),
  status: z.enum(["ok", "wrong", "unknown"]),
  says: z.string(),
  remedy: z.optional(z.string()),
  because: z.optional(z.enum(["no right", "no answer", "no event", "gone"])),
});
