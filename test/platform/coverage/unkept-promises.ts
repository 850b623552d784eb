import type { CoverageRow } from "../../../local/platform/ledger/rows.ts";

/** What is known of a file's tests when they ran: their modes, and what each made the platform do. */
export type Ran = {
  tests: ReadonlyMap<string, string>;
  seen: ReadonlyMap<string, ReadonlySet<string>>;
  /** Only some of the tests ran, by the runner's filter. */
  isFiltered: boolean;
};

/** Lists what the ledger declares of a file's tests and they do not keep, in words. */
export function unkeptPromises(declared: readonly CoverageRow[], { tests, seen, isFiltered }: Ran): string[] {
  return declared.flatMap(({ id, test }) => {
    const mode = tests.get(test);
    if (mode === undefined) return [`There is no test "${test}" that covers ${id}.`];
    if (mode !== "run" && isFiltered) return [];
    return seen.get(test)?.has(id) === true ? [] : [`The test "${test}" does not do ${id}.`];
  });
}
