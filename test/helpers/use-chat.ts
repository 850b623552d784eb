import { afterAll, beforeAll } from "vitest";
import type { LocalStack, LocalStackOptions } from "../../local/stack/local-stack.ts";
import { createProjectFolder, createRunChat, type RunChat } from "./run-chat.ts";
import { startPatientWorld } from "./start-patient-world.ts";

/** The local world of this file's tests, from `useChat` on. */
export let world: LocalStack;

/** Runs command lines that act on it. */
export let chat: RunChat;

/** Starts a local world and a project folder before the tests around it, and ends both after them. */
export function useChat(options: LocalStackOptions = {}): { readonly folder: string } {
  const project = createProjectFolder();
  beforeAll(async () => {
    world = await startPatientWorld(options);
    chat = createRunChat(project.folder, world.cloud, world.clock);
  });
  afterAll(async () => {
    await world?.close();
    project.remove();
  });
  return project;
}
