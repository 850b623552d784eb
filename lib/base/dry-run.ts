import * as z from "zod/mini";
import { OwnError } from "./own-error.ts";

/** Thrown if an event is neither a schedule's nor valid. The message says what to write instead. */
export class DryRunError extends OwnError {
  override readonly name = "DryRunError";

  constructor() {
    super('The event must be a schedule\'s, {} or {"dryRun": true}: nothing was done.');
  }
}

/**
 * Returns true if the caller requests a dry run. Refuses unknown fields, because a misspelled `dryrun` must
 * not run for real.
 * @throws DryRunError
 */
export function readDryRun(event: unknown): boolean {
  if (scheduledSchema.safeParse(event).success) return false;
  const asked = askedSchema.safeParse(event);
  if (asked.success) return asked.data.dryRun;
  throw new DryRunError();
}

/**
 * The event of a schedule. @see
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html
 */
const scheduledSchema = z.object({ source: z.literal("aws.events") });

const askedSchema = z.strictObject({ dryRun: z._default(z.boolean(), false) });
