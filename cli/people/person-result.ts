import type { Retention } from "../../build/stages.ts";
import type { Findings } from "../../lib/operate/personal-data/personal-store.ts";
import { usualAuditDays } from "../audit.ts";
import { argument, text } from "../options.ts";

export const personArgument = { uid: argument("the user's uid") };
export const personOption = { app: text("<id>", "the app (default: the only one)") };

/** What can be neither read nor erased. */
export interface Unreachable {
  what: string;
  /** When it is deleted by itself at the latest. Absent if unknown. */
  endsAt?: string | undefined;
}

export interface PersonReport {
  app: string;
  uid: string;
  unreachable: Unreachable[];
}

/** With the usual times of serverless.yml and infrastructure/. */
export function listUnreachable(
  findings: Findings,
  nowMs: number,
  { logDays = 30, auditDays = usualAuditDays, queueSeconds = 1_209_600, backupDays = 35 }: Retention,
): Unreachable[] {
  const until = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
  const ends = [...findings.values()].flat().flatMap(({ endsAt }) => endsAt ?? []);
  const last = ends.toSorted().at(-1);
  const staying = [...findings].flatMap(([store, found]) => {
    const reasons = found.flatMap(({ stays }) => stays ?? []);
    return reasons.length === 0 ? [] : [{ what: `${reasons.length} in ${store}: ${reasons[0]}` }];
  });
  return [
    { what: "messages in queues that wait to be handled", endsAt: until(queueSeconds / 86_400) },
    { what: "logs of the functions and of the HTTP API", endsAt: until(logDays) },
    { what: "the audit trail, with the uid that was typed", endsAt: until(auditDays) },
    { what: "point-in-time backups of the tables", endsAt: until(backupDays) },
    ...(last === undefined
      ? []
      : [{ what: `${ends.length} ended flows, with input and steps`, endsAt: last }]),
    ...staying,
    { what: "reactions in groups that the user has left" },
    { what: "records of blocked messages before the newest 50, with uid, name and avatar" },
    { what: "files of messages, of which no page says that the platform deletes them with the messages" },
    { what: "what targets of the event bus, other hosts and functions of your own stored" },
    { what: "other local stacks, such as those that `listen` passed events to" },
  ];
}
