import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Finds the machine's Chromium: the one that CHROME_PATH names, or the first of its usual names on the PATH. */
export function findBrowser(): string | undefined {
  const { CHROME_PATH, PATH = "" } = process.env;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return CHROME_PATH || places.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
