import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const commandsOf = {
  npm: { install: "npm install", add: "npm install", addDev: "npm install --save-dev" },
  pnpm: { install: "pnpm install", add: "pnpm add", addDev: "pnpm add -D" },
  yarn: { install: "yarn install", add: "yarn add", addDev: "yarn add -D" },
} as const;

/** What an installation writes, then what is under version control. */
const marks = [
  ["node_modules/.package-lock.json", "npm"],
  ["node_modules/.modules.yaml", "pnpm"],
  ["node_modules/.yarn-state.yml", "yarn"],
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
] as const;

/** Returns the commands of the program that installs packages there or above; npm's if unknown. */
export function installCommands(folder: string): (typeof commandsOf)[keyof typeof commandsOf] {
  const [, program] = marks.find(([file]) => existsSync(join(folder, file))) ?? [];
  if (program !== undefined) return commandsOf[program];
  return dirname(folder) === folder ? commandsOf.npm : installCommands(dirname(folder));
}
