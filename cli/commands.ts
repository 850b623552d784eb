import type { Command } from "./command.ts";
import { target } from "./commands/target.ts";

/** All commands, in the order of the list that `--help` shows. */
export const commands: readonly Command[] = [target];
