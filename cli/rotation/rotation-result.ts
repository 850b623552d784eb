import * as z from "zod/mini";
import { isKeyRefused } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  RotationError,
  type RotationTrouble,
  rotateCommand,
  SecretChangedError,
} from "../../lib/operate/rotation/rotation-error.ts";
import type { RotationResult } from "../../lib/operate/rotation/run-rotation.ts";
import { CliError } from "../cli-error.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";

const thingSchema = z.enum(["webhook-password", "api-key"]);

/** What `rotate …` prints as JSON. */
export const rotationResultSchema = z.strictObject({
  app: z.string(),
  things: z.array(thingSchema),
  /** `planned`: a rehearsal, nothing was changed. `idle`: no rotation was in progress. */
  state: z.enum(["planned", "rotated", "overlapping", "pending", "idle", "abandoned"]),
  /** Whether this run began the rotation or continued one. */
  begun: z.boolean(),
  /** Until when the replaced value is valid. */
  until: z.optional(z.string()),
  /** The steps of a rehearsal. */
  plan: z.optional(z.array(z.string())),
});

export type RotationCommandResult = z.infer<typeof rotationResultSchema>;

export function toCommandResult(
  app: string,
  things: RotationCommandResult["things"],
  { state, hasBegun, untilMs }: RotationResult,
): RotationCommandResult {
  return {
    ...{ app, things, state, begun: hasBegun },
    ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
  };
}

/** Creates a rehearsal's result. */
export function toPlanResult(
  app: string,
  things: RotationCommandResult["things"],
  plan: readonly string[],
): RotationCommandResult {
  return { app, things, state: "planned", begun: false, plan: [...plan] };
}

/** Describes when the replaced value ends. */
export function endOf(app: string, until: string | undefined): string {
  return `The old one is valid until ${until}. The schedule ends it then; to end it now: ${rotateCommand("finish --now", { appId: app })}`;
}

export function printRotation(result: RotationCommandResult, out: Output): void {
  for (const line of linesOf(result)) out.line(line);
}

function linesOf({ app, state, begun, until, plan = [] }: RotationCommandResult): readonly string[] {
  switch (state) {
    case "planned":
      return [...plan, "Nothing was changed."];
    case "rotated":
      return [
        begun
          ? `Rotated for app ${app}.`
          : `Finished the earlier rotation of app ${app}. Run it again for a new rotation.`,
      ];
    case "overlapping":
      return [
        `${begun ? "Rotated" : "Continued the rotation"} for app ${app}: the new one is in use.`,
        endOf(app, until),
      ];
    case "pending":
      return [`A rotation of app ${app} is pending: run its command again.`];
    case "idle":
      return [`No rotation of app ${app} is in progress.`];
    case "abandoned":
      return [`Abandoned the pending rotation of app ${app}: the credentials in use stay.`];
  }
}

/** Awaits a rotation's work, and converts its errors to those of the command line. */
export async function mapRotationErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SecretChangedError) {
      throw new CliError(error.message, {
        code: "SOMEBODY_ELSE",
        exitCode: exitCodes.refused,
        hint: "Run this again in a minute.",
      });
    }
    if (!(error instanceof RotationError)) throw error;
    const { message, trouble, hint } = error;
    throw new CliError(message, {
      code: trouble.toUpperCase().replaceAll("-", "_"),
      exitCode: exitCodeOf[trouble],
      hint,
    });
  }
}

/** The same for work that an invalid key of the app ends. */
export async function mapKeyErrors<T>(app: string, work: Promise<T>): Promise<T> {
  try {
    return await mapRotationErrors(work);
  } catch (error) {
    if (!isKeyRefused(error)) throw error;
    throw new CliError(
      `The platform refuses the API key of app ${app} (${error.code}). It was not changed.`,
      {
        code: error.code,
        exitCode: exitCodes.noRights,
        hint: `Take a REST API key (scope fullAccess) from the dashboard, then type: ${rotateCommand("api-key --api-key-stdin", { appId: app })}`,
        cause: error,
      },
    );
  }
}

const exitCodeOf: Readonly<Record<RotationTrouble, ExitCode>> = {
  "somebody-else": exitCodes.refused,
  "unknown-pending": exitCodes.refused,
  "previous-needed": exitCodes.refused,
  "secret-unfit": exitCodes.wrongUse,
  "not-proven": exitCodes.partlyDone,
  "nothing-to-switch": exitCodes.partlyDone,
  "no-management": exitCodes.partlyDone,
  "too-many-keys": exitCodes.refused,
};
