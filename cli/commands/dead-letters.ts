import type { Command } from "../command.ts";
import { defineDrop } from "../repair/define-drop.ts";
import { defineList } from "../repair/define-list.ts";
import { defineReplay } from "../repair/define-replay.ts";
import { defineShow } from "../repair/define-show.ts";
import { deadLetterKind } from "../repair/set-aside-kind.ts";

export const deadLetters: readonly Command[] = [defineList, defineShow, defineReplay, defineDrop].map(
  (define) => define(deadLetterKind),
);
