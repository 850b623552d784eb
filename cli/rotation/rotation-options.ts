import type { RotatedThing } from "../../lib/rotation/rotated-things.ts";
import type { RotationWish } from "../../lib/rotation/run-rotation.ts";
import { wrongUse } from "../cli-error.ts";
import { duration, flag, type OptionSpec, type OptionValues } from "../options.ts";

/** The app that a command is about. */
export const appOption: OptionSpec<string> = {
  value: "<id>",
  description: "the app",
  read: (typed) => {
    const app = typed.at(-1);
    if (app !== undefined && app !== "") return app;
    throw wrongUse(
      "It is not said which app.",
      "Add --app <id>; npx cometchat-functions apps list names them.",
    );
  },
};

/** What both rotations take. */
export const rotationOptions = {
  app: appOption,
  overlap: duration("how long the old one stays good (default: 1h)"),
  wait: flag("wait until the overlap is over and end it"),
  revokeNow: flag("end the old one at once: it is known to somebody"),
  pushOut: flag("old values of the last change by hand may stop counting"),
  plan: flag("say what would be done, and change nothing"),
};

/** @throws CliError for an overlap that would cut off what still works with the old one */
export function readOverlap(
  { overlap = 3_600_000 }: { readonly overlap: number | undefined },
  leastMs: number,
): number {
  if (overlap >= leastMs && overlap <= longestMs) return overlap;
  throw wrongUse(
    `--overlap is at least ${leastMs / 60_000}m here, and at most 30d.`,
    "To end the old one at once, use --revoke-now.",
  );
}

const longestMs = 30 * 86_400_000;

export function toWish(
  things: readonly RotatedThing[],
  { wait, revokeNow, pushOut }: Pick<OptionValues<typeof rotationOptions>, "wait" | "revokeNow" | "pushOut">,
  overlapMs: number,
): RotationWish {
  return { things, overlapMs, pushesOut: pushOut, overlap: revokeNow ? "end" : wait ? "wait" : "leave" };
}
