import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments } from "../build/read-arguments.ts";
import { exitOnWrongConfig } from "./stack/exit-on-wrong-config.ts";
import { JourneyError, walkJourney } from "./stack/journey.ts";
import { startLocalStack } from "./stack/local-stack.ts";
import { printStep } from "./stack/print-step.ts";

const usage = `
Usage: npx cometchat-functions demo

Start everything, follow one message to its reply, and stop. Exit code 1 if a step fails.
`;

readArguments(usage, (args) => parseArgs({ args }));
await exitOnWrongConfig();
const functionsLog: string[] = [];
const localStack = await startLocalStack({ log: (line) => functionsLog.push(line) });
try {
  await walkJourney(localStack, printStep);
} catch (error) {
  if (!(error instanceof JourneyError)) throw error;
  process.stderr.write(
    `\n${error.message}\n\nThe functions' last lines:\n${functionsLog.slice(-20).join("\n")}\n`,
  );
  process.exitCode = 1;
} finally {
  await localStack.close();
}
