import process from "node:process";
import type { Questions } from "./edges.ts";

/** On standard error: standard output can be piped. */
export function createQuestions(signal: AbortSignal): Questions {
  const prompts = () => import("@inquirer/prompts");
  const context = { output: process.stderr, signal };
  return {
    confirm: async (message) => (await prompts()).confirm({ message, default: false }, context),
    text: async (message, fallback) =>
      (await prompts()).input(fallback === undefined ? { message } : { message, default: fallback }, context),
    password: async (message) =>
      (await prompts()).password({ message, mask: "*", toggleMask: false }, context),
  };
}
