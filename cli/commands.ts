import type { Command } from "./command.ts";
import { deploy } from "./commands/deploy.ts";
import { remove } from "./commands/remove.ts";
import { rollback } from "./commands/rollback.ts";
import { target } from "./commands/target.ts";

/** All commands, in the order of the list that `--help` shows. */
export const commands: readonly Command[] = [deploy, rollback, remove, target];
