import type { LocalStack } from "../../local/stack/local-stack.ts";
import { messageSent } from "../helpers/deliver.ts";
import { createProjectFolder, createRunChat } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { settle } from "../helpers/settle.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";
import type { CommandBlock } from "./command-blocks.ts";

/** The local world in which the commands of the pages run. */
export interface CommandWorld {
  /**
   * Runs the commands of one page in order, from an empty world, and returns what each
   * prints, as a terminal shows it.
   */
  runPage(blocks: readonly CommandBlock[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: looks for what clears a terminal's line
const writtenOver = /[^\n]*\r\u001b\[2K/g;

/** Starts it. Takes some seconds. */
export async function startCommandWorld(): Promise<CommandWorld> {
  const world = await startPatientWorld();
  return {
    runPage: (blocks) => runPage(world, blocks),
    close: () => world.close(),
  };
}

async function runPage(world: LocalStack, blocks: readonly CommandBlock[]): Promise<readonly string[]> {
  await world.reset();
  const project = createProjectFolder();
  try {
    const chat = createRunChat(project.folder, world.cloud);
    const printed: string[] = [];
    for (const { typed, prepared } of blocks) {
      if (prepared !== undefined) await prepare(prepared, world);
      const shown: string[] = [];
      const write = (text: string) => void shown.push(text);
      // A terminal overwrites lines of progress: which of them appear depends on the machine's speed.
      const edges = { stdout: { write, isTerminal: false }, stderr: { write, isTerminal: true } };
      const { exitCode } = await chat(toWords(typed), { edges });
      const left = shown.join("").replaceAll(writtenOver, "");
      printed.push(`${left}${exitCode === 0 ? "" : `# exit code ${exitCode}\n`}`);
    }
    return printed;
  } finally {
    project.remove();
  }
}

async function prepare(name: string, world: LocalStack) {
  const preparation = preparations[name];
  if (preparation === undefined) {
    throw new Error(
      `test/docs/command-world.ts knows no "${name}". It has ${Object.keys(preparations).join(", ")}.`,
    );
  }
  await preparation(world);
}

/** Splits as a shell does, as far as the pages need it: words, some of them in quotes. */
export function toWords(typed: string): readonly string[] {
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/**
 * Preconditions of a page's commands, by the name in the comment above the block:
 * `<!-- prepared: a message was answered -->`. They may follow others of the page.
 */
const preparations: Readonly<Record<string, (world: LocalStack) => Promise<void>>> = {
  "an event was dead-lettered": async ({ cloud }) => {
    const receivedAt = Date.now() - 31 * 60_000;
    const [appId, trigger] = ["local-app", "message_sent"];
    const event = { v: 1, appId, family: "webhook", trigger, key: `${appId}|${trigger}|4711`, receivedAt };
    const body = messageSent({ id: "4711", sender: "alice" });
    await createSetAside(cloud).bury("4711", {
      messageBody: JSON.stringify({ ...event, body, base64: false }),
      reason: "permanent",
      cause: "ChatApiError: ERR_UID_NOT_FOUND, the user support does not exist",
      finished: ["welcome", "escalate", "forward"].map((name) => `message_sent ${name}`),
      receivedAt,
    });
  },
  "a message was answered": async (world) => {
    await writeToSupport(world, "Hello, is anybody there?");
    await settle(world);
  },
};
