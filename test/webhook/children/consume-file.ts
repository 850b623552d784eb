import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { createSqliteStore } from "../../../package/webhook.ts";

// Handles the events in the given file, some milliseconds each, and writes started and finished events into
// another file. A signal to end stops it gracefully.
const [, , file = "", journal = "", tookMs = "1"] = process.argv;
const store = createSqliteStore({ file });
const note = (word: string, fact: string) => appendFileSync(journal, `${process.pid} ${word} ${fact}\n`);
store.consume(
  async (_event, { fact }) => {
    note("begun", fact);
    await setTimeout(Number(tookMs));
    note("done", fact);
  },
  // A process that a busy machine delays for a second or two must not count as dead.
  { leaseMs: 6_000, pollMs: 20, concurrency: 4 },
);
process.once("SIGTERM", () => void store.close());
process.stdout.write("consuming\n");
