import * as z from "zod/mini";
import { OwnError } from "./errors.ts";

/** The message says what to write instead. */
export class DryRunError extends OwnError {
  override readonly name = "DryRunError";

  constructor() {
    super('The event must be a schedule\'s, {} or {"dryRun": true}: nothing was done.');
  }
}

/**
 * Returns whether an event requests a dry run. Refuses unknown fields: a misspelled `dryrun` must not run for
 * real.
 * @throws DryRunError if the event is neither a schedule's nor valid
 */
export function readDryRun(event: unknown): boolean {
  if (scheduledSchema.safeParse(event).success) return false;
  const asked = askedSchema.safeParse(event);
  if (asked.success) return asked.data.dryRun;
  throw new DryRunError();
}

/** See https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
const scheduledSchema = z.object({ source: z.literal("aws.events") });

const askedSchema = z.strictObject({ dryRun: z._default(z.boolean(), false) });
