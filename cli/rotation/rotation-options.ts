import { readServedApps } from "../../build/served-apps.ts";
import type { RotatedThing } from "../../lib/operate/rotation/rotated-things.ts";
import type { RotationWish } from "../../lib/operate/rotation/rotation-tools.ts";
import { wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import { duration, flag, type OptionValues, text } from "../options.ts";
import type { Target } from "../target/target.ts";

export const appOption = text("<id>", "the app (default: the one that the stage serves)");

/**
 * The stage's only app if none is named.
 * @throws CliError, ConfigFileError
 */
export async function chooseApp(
  named: string | undefined,
  { stage }: Pick<Target, "stage">,
  { projectFolder }: Pick<CliEdges, "projectFolder">,
): Promise<string> {
  if (named !== undefined && named !== "") return named;
  const served = (await readServedApps(projectFolder)).get(stage) ?? [];
  const [only] = served;
  if (only !== undefined && served.length === 1) return only;
  throw wrongUse(
    `Name the app: the stage ${stage} serves ${served.length}.`,
    "Add --app <id>. They are named by: npx cometchat-functions apps list",
  );
}

export const rotationOptions = {
  app: appOption,
  overlap: duration("how long the old one stays valid (default: 1h)"),
  wait: flag("wait until the overlap is over and end it"),
  revokeNow: flag("after a leak: replace the one in use, and end all others now"),
  pushOut: flag("allow ending old values of the last manual change"),
  dryRun: flag("show what would be done, and change nothing"),
};

/** @throws CliError if the overlap would cut off callers that still use the old value */
export function readOverlap(
  { overlap = 3_600_000 }: { readonly overlap: number | undefined },
  leastMs: number,
): number {
  if (overlap >= leastMs && overlap <= longestMs) return overlap;
  throw wrongUse(
    `--overlap is at least ${leastMs / 60_000}m here, and at most 30d.`,
    "To end the old one immediately, use --revoke-now.",
  );
}

const longestMs = 30 * 86_400_000;

export function toWish(
  things: readonly RotatedThing[],
  { wait, revokeNow, pushOut }: Pick<OptionValues<typeof rotationOptions>, "wait" | "revokeNow" | "pushOut">,
  overlapMs: number,
): RotationWish {
  return {
    things,
    overlapMs,
    pushesOut: pushOut,
    overlap: revokeNow ? "end" : wait ? "wait" : "leave",
    isLeaked: revokeNow,
  };
}
