import {
  type AnswerableMessage,
  isIgnored,
  type NoFit,
  whyNoFit,
  whyNotReply,
} from "../lib/behaviours/replies/decide-reply.ts";
import { type ReplyRule, type ReplyRules, replyRulesSchema } from "../lib/behaviours/replies/reply-rules.ts";

import { createListMatcher } from "../lib/endpoints/moderation-lists/match-lists.ts";
import {
  type ModerationList,
  moderationRulesSchema,
} from "../lib/endpoints/moderation-lists/moderation-rules.ts";
import { readConfigLayers } from "./config-layers.ts";
import { type ConfigText, placeOf, textAt } from "./config-text.ts";
import { settingsOf } from "./load-config-file.ts";

export interface ExplainedMessage extends AnswerableMessage {
  readonly text: string;
  readonly category: string;
  readonly language: string | undefined;
}

export interface Explanation {
  readonly reply: { readonly place: string; readonly text: string } | undefined;
  /** Why it is not answered regardless of the rules. */
  readonly passedOver: string | undefined;
  readonly rules: readonly { readonly place: string; readonly whyNot: string | undefined }[];
  readonly lists: readonly {
    readonly place: string;
    readonly name: string;
    readonly confidence: number;
    readonly matches: boolean;
  }[];
  /** By the matching list with the most confidence. */
  readonly moderation: {
    readonly list: string | undefined;
    readonly beforeMessage: "pass" | "note" | "drop";
    readonly isMatching: boolean;
  };
}

export interface ConfigOwner {
  readonly stage: string;
  /** Undefined for an app without its own files. */
  readonly appId: string | undefined;
}

/** @throws ConfigFileError if a file is invalid */
export async function explainMessage(
  projectFolder: string,
  owner: ConfigOwner,
  message: ExplainedMessage,
): Promise<Explanation> {
  const replies = await readOwn(projectFolder, "replies.yml", owner);
  const moderation = await readOwn(projectFolder, "moderation.yml", owner);
  return {
    ...explainReply(message, replyRulesSchema.parse(replies.content), replies.placeOf),
    ...explainLists(message, moderationRulesSchema.parse(moderation.content), moderation.placeOf),
  };
}

/** @throws ConfigFileError if config/replies.yml is invalid */
export async function listReceivers(projectFolder: string, owner: ConfigOwner): Promise<readonly string[]> {
  const { content } = await readOwn(projectFolder, "replies.yml", owner);
  const { rules } = replyRulesSchema.parse(content);
  return [...new Set(rules.flatMap((rule) => ("receiver" in rule ? rule.receiver : [])))];
}

async function readOwn(projectFolder: string, name: string, { stage, appId = "" }: ConfigOwner) {
  const layers = await readConfigLayers(projectFolder, name, stage);
  const own = layers.apps.get(appId);
  const others = [layers.stage, own].filter((text) => text !== undefined);
  const texts: readonly [ConfigText, ...ConfigText[]] = [layers.base, ...others];
  const settings = settingsOf(name, layers);
  const placeOfRule = (key: string, index: number) => placeOf(textAt([key], texts), [key, index]);
  return { content: own === undefined ? settings.default : settings.apps[appId], placeOf: placeOfRule };
}

type PlaceOf = (key: string, index: number) => string;

function explainReply(message: ExplainedMessage, rules: ReplyRules, placeOf: PlaceOf) {
  const first = rules.rules.findIndex((rule) => whyNoFit(message, rule) === undefined);
  const tried = first === -1 ? rules.rules : rules.rules.slice(0, first + 1);
  const explained = tried.map((rule, index) => {
    const reason = whyNoFit(message, rule);
    return { place: placeOf("rules", index), whyNot: reason && inWords(reason, rule) };
  });
  const found = rules.rules[first];
  const passedOver = isIgnored(message, rules)
    ? `ignoreSenders names ${message.sender}`
    : found && whyPassedOver(message, found, rules);
  const isAnswered = found !== undefined && passedOver === undefined;
  return {
    rules: explained,
    passedOver,
    reply: isAnswered ? { place: placeOf("rules", first), text: found.text } : undefined,
  };
}

function whyPassedOver(
  { category }: ExplainedMessage,
  rule: ReplyRule,
  rules: ReplyRules,
): string | undefined {
  const reason = whyNotReply({ category, ageMs: 0 }, rule, rules);
  return reason === "category" ? `categories has no ${category}` : reason;
}

function inWords(reason: NoFit, rule: ReplyRule): string {
  const when = typeof rule.when === "object" ? rule.when : {};
  switch (reason) {
    case "receiver":
      return "group" in rule ? `it is for the group ${rule.group}` : `it is for ${rule.receiver}`;
    case "own-message":
      return "nobody answers themselves";
    case "words":
      return `the text has none of its words: ${when.words?.join(", ")}`;
    case "office-hours":
      return `it is within office hours of ${when.outsideOfficeHours?.timeZone}`;
  }
}

function explainLists(
  { text, sender, language }: ExplainedMessage,
  { lists, dropFrom }: { readonly lists: readonly ModerationList[]; readonly dropFrom: number },
  placeOf: PlaceOf,
) {
  const question = { message: { sender, data: { text } }, context: [], language };
  const explained = lists.map((list, index) => ({
    place: placeOf("lists", index),
    name: list.name,
    confidence: list.confidence,
    matches: createListMatcher([list])(question) !== undefined,
  }));
  const found = createListMatcher(lists)(question);
  const held = found === undefined ? "pass" : found.confidence >= dropFrom ? "drop" : "note";
  const beforeMessage: Explanation["moderation"]["beforeMessage"] = held;
  return {
    lists: explained,
    moderation: { list: found?.list, beforeMessage, isMatching: found !== undefined },
  };
}
