import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cometBackendCalls } from "./comet-backend-calls.ts";
import { cometchatApiCalls } from "./cometchat-api-calls.ts";
import { comparisonTable } from "./comparison-table.ts";
import type { PeerCall } from "./peer-call.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "internals", "comparison.md");

/** Reads docs/internals/comparison.md as it is. */
export function readComparison(): string {
  return readFileSync(page, "utf8");
}

/** Gives docs/internals/comparison.md with what is measured now in the place of what was measured then. */
export async function renewComparison(): Promise<string> {
  const parts = {
    measured: await comparisonTable(),
    "comet-backend": misses(cometBackendCalls),
    "cometchat-api": misses(cometchatApiCalls),
  };
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`),
        (_, begin: string, end: string) => `${begin}\n${part}\n${end}`,
      ),
    readComparison(),
  );
}

/** Writes docs/internals/comparison.md anew. */
export async function writeComparison(): Promise<void> {
  writeFileSync(page, await renewComparison());
}

function misses(calls: readonly Pick<PeerCall<never>, "says" | "method" | "fails">[]): string {
  return calls
    .flatMap(({ says, method, fails }) => {
      if (fails === undefined) return [];
      const [because, source] = fails;
      const link = source.slice("docs/internals/".length);
      return [`| ${says} | \`${method}\` | ${because} | [${link.split("#")[1]}](${link}) |`];
    })
    .reduce(
      (table, row) => `${table}\n${row}`,
      "| Says that it | Method | What happens | Platform |\n|---|---|---|---|",
    );
}
