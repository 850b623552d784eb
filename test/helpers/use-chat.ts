import { afterAll, beforeAll } from "vitest";
import type { LocalStack, LocalStackOptions } from "../../local/stack/local-stack.ts";
import { createProjectFolder, createRunChat, type RunChat } from "./run-chat.ts";
import { startPatientWorld } from "./start-patient-world.ts";

/**
 * Starts a local world and a project folder before the tests around it, and ends both after them.
 * @param take Gets the world and what runs command lines that act on it
 */
export function useChat(
  take: (made: { readonly world: LocalStack; readonly chat: RunChat }) => void,
  options: LocalStackOptions = {},
): { readonly folder: string } {
  const project = createProjectFolder();
  let world: LocalStack | undefined;
  beforeAll(async () => {
    world = await startPatientWorld(options);
    take({ world, chat: createRunChat(project.folder, world.cloud, world.clock) });
  });
  afterAll(async () => {
    await world?.close();
    project.remove();
  });
  return project;
}
