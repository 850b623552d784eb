import * as z from "zod/mini";
import type { Findings } from "../../lib/operate/personal-data/personal-store.ts";
import type { Output } from "../output.ts";

/** What the commands can neither read nor erase, or only read. */
export const unreachableSchema = z.array(
  z.strictObject({
    what: z.string(),
    /** When it is deleted by itself at the latest. Absent if this software cannot tell. */
    endsAt: z.optional(z.iso.datetime()),
  }),
);

type Unreachable = z.infer<typeof unreachableSchema>;

const dayMs = 86_400_000;

/** The times are those of serverless.yml and infrastructure/. */
export function listUnreachable(
  kind: "local" | "stage",
  findings: Iterable<Findings>,
  nowMs: number,
): Unreachable {
  const inDays = (days: number) => new Date(nowMs + days * dayMs).toISOString();
  const ends = [...findings].flatMap(({ found }) => found.flatMap(({ endsAt }) => endsAt ?? []));
  const endsAt = ends.toSorted().at(-1);
  return [
    {
      what: "messages of EventsQueue, CallsQueue and ParkedLanesQueue that wait to be handled",
      endsAt: inDays(14),
    },
    { what: "point-in-time backups of the tables", endsAt: inDays(35) },
    { what: "logs of the functions and of the HTTP API", endsAt: inDays(30) },
    ...(endsAt === undefined ? [] : [{ what: `${ends.length} ended flows, with input and steps`, endsAt }]),
    { what: "reactions in groups that the user has left, and messages of others that quote the user" },
    { what: "what targets of the event bus, other hosts and functions of your own stored" },
    ...(kind === "local" ? [{ what: "snapshots and the console's journal of the local stack" }] : []),
  ];
}

export function printUnreachable(rows: Unreachable, out: Output): void {
  out.line("cannot be reached:");
  for (const { what, endsAt } of rows)
    out.line(`  ${what}${endsAt === undefined ? "" : `, until ${endsAt.slice(0, 10)} at the latest`}`);
}
