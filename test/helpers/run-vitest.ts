import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const vitest = join(import.meta.dirname, "../../node_modules/.bin/vitest");

/** The result of a run within a test. */
export interface VitestOutcome {
  readonly files: number;
  readonly passed: number;
  /** The failures and their reasons; the output if there is no report. */
  readonly failed: readonly string[];
}

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs the tests of a folder, or only the named files. */
export async function runVitest(folder: string, files: readonly string[] = []): Promise<VitestOutcome> {
  const report = join(folder, "report.json");
  // The first test of a file loads its imports, which takes a busy machine longer than Vitest waits.
  const limits = ["--testTimeout=180000", "--hookTimeout=180000"];
  const printed = await promisify(execFile)(
    vitest,
    ["run", "--root", folder, ...limits, "--reporter=json", `--outputFile=${report}`, ...files],
    { cwd: folder, env: { ...process.env, VITEST: undefined } },
  ).catch((error: { stdout: string; stderr: string }) => error);
  if (!existsSync(report)) return { files: 0, passed: 0, failed: [printed.stdout + printed.stderr] };
  const { success, numPassedTests, testResults }: Report = JSON.parse(readFileSync(report, "utf8"));
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === "failed");
    const reasons = tests.map(
      ({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n")}`,
    );
    return status === "passed" ? [] : [`${name}: ${[message, ...reasons].join("\n")}`];
  });
  // An error outside of all tests is in no test's result.
  if (!success && failed.length === 0) failed.push(printed.stdout + printed.stderr);
  return { files: testResults.length, passed: numPassedTests, failed };
}
