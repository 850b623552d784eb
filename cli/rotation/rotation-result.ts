import { isKeyRefused } from "../../lib/operate/rotation/rotate-api-key.ts";
import type { RotatedThing } from "../../lib/operate/rotation/rotated-things.ts";
import { rotateCommand } from "../../lib/operate/rotation/rotation-error.ts";
import type { RotationResult } from "../../lib/operate/rotation/run-rotation.ts";
import { CliError } from "../cli-error.ts";
import type { Output } from "../output.ts";

export interface RotationCommandResult {
  app: string;
  things: readonly RotatedThing[];
  /** `planned`: a rehearsal, nothing was changed. `idle`: no rotation was in progress. */
  state: "planned" | "rotated" | "overlapping" | "pending" | "idle" | "abandoned";
  begun: boolean;
  /** Of the replaced value. */
  until?: string | undefined;
  plan?: readonly string[] | undefined;
}

export function toCommandResult(
  app: string,
  things: readonly RotatedThing[],
  { state, hasBegun, untilMs }: RotationResult,
): RotationCommandResult {
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  return { app, things, state, begun: hasBegun, until };
}

const words: Readonly<Record<RotatedThing, string>> = {
  "webhook-password": "the webhook's password",
  "api-key": "the API key",
};

export function nameThings(things: readonly RotatedThing[]): string {
  return things.map((thing) => words[thing]).join(" and ");
}

export function printRotation(
  { app, things, state, begun, until, plan = [] }: RotationCommandResult,
  out: Output,
): void {
  switch (state) {
    case "planned":
      for (const step of [...plan, "Nothing was changed."]) out.line(step);
      return;
    case "rotated": {
      const again = things.length === 1 ? " Run it again for a new rotation." : "";
      out.line(begun ? `Rotated for app ${app}.` : `Finished the earlier rotation of app ${app}.${again}`);
      return;
    }
    case "overlapping":
      out.line(`${begun ? "Rotated for app" : "App"} ${app}: the new one is in use.`);
      out.line(
        `The old one is valid until ${until}. The schedule ends it then; to end it now: ${rotateCommand("finish --now", { appId: app })}`,
      );
      return;
    case "pending":
      out.line(`A rotation of app ${app} is pending: run its command again.`);
      return;
    case "idle":
      out.line(`No rotation of app ${app} is in progress.`);
      return;
    case "abandoned":
      out.line(`Abandoned the pending rotation of app ${app}: the credentials in use stay.`);
  }
}

/** Converts the error of an invalid key of the app. */
export async function mapKeyErrors<T>(app: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isKeyRefused(error)) throw error;
    throw new CliError(
      "noRights",
      error.code,
      `The platform refuses the API key of app ${app} (${error.code}). It was not changed.`,
      `Take a REST API key (scope fullAccess) from the dashboard, then type: ${rotateCommand("api-key --api-key-stdin", { appId: app })}`,
      error,
    );
  }
}
