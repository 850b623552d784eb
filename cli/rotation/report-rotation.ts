import type { RotatedThing } from "../../lib/operate/rotation/rotated-things.ts";
import type { RotationProgress } from "../../lib/operate/rotation/rotation-tools.ts";
import type { Output } from "../output.ts";

const words: Readonly<Record<RotatedThing, string>> = {
  "webhook-password": "the webhook's password",
  "api-key": "the API key",
};

export function nameThings(things: readonly RotatedThing[]): string {
  return things.map((thing) => words[thing]).join(" and ");
}

/** On standard error. */
export function createRotationReport(out: Output, now: () => number): (progress: RotationProgress) => void {
  return (progress) => {
    const what = nameThings(progress.things);
    if (progress.doing === "wait") {
      const minutes = Math.ceil((progress.untilMs - now()) / 60_000);
      out.progress(`the old one of ${what} stays valid for ${minutes} min; Ctrl-C loses nothing`);
      return;
    }
    out.note(said[progress.doing].replace("%", what));
  };
}

const said = {
  make: "making % anew",
  prove: "stored as pending; waiting until it is accepted everywhere, then proving %",
  switch: "proven; switching over, and waiting for calls in progress with the old one",
  promote: "making it the current version",
  keep: "keeping the old one for the overlap",
  replace: "replacing % now, even during another rotation",
  retire: "ending the old one of %",
} as const;
