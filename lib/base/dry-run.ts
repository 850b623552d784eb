import * as z from "zod/mini";

/** Thrown for an event that is neither a schedule's nor says something known; its message says what to write instead. */
export class DryRunError extends Error {
  override readonly name = "DryRunError";

  constructor() {
    super('The event must be a schedule\'s, {} or {"dryRun": true}: nothing was done.');
  }
}

/**
 * Tells whether somebody asked for a rehearsal. Whoever writes `dryrun` means one, too: what is not known is refused instead of
 * being carried out.
 * @throws DryRunError
 */
export function readDryRun(event: unknown): boolean {
  if (scheduledSchema.safeParse(event).success) return false;
  const asked = askedSchema.safeParse(event);
  if (asked.success) return asked.data.dryRun;
  throw new DryRunError();
}

/** What a schedule sends. @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
const scheduledSchema = z.object({ source: z.literal("aws.events") });

const askedSchema = z.strictObject({ dryRun: z._default(z.boolean(), false) });
