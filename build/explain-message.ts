import {
  findMismatch,
  isIgnored,
  type Mismatch,
  skipReason,
} from "../lib/behaviours/replies/decide-reply.ts";
import { type ReplyRule, replyRulesSchema } from "../lib/behaviours/replies/reply-rules.ts";
import { createListMatcher } from "../lib/endpoints/moderation-lists/match-lists.ts";
import { moderationRulesSchema } from "../lib/endpoints/moderation-lists/moderation-rules.ts";
import { readConfigLayers, textsOf } from "./config-layers.ts";
import { placeOf, textAt } from "./config-text.ts";
import { settingsOf } from "./load-config-file.ts";
import { hintAt } from "./nearest-name.ts";
import { UsageError } from "./read-arguments.ts";
import { readServedApps, readStageTriggers } from "./served-apps.ts";
import { readStages } from "./stages.ts";

export const questionOptions = [
  "text",
  "to",
  "group",
  "from",
  "stage",
  "app",
  "at",
  "category",
  "language",
] as const;

type Question = Partial<Record<(typeof questionOptions)[number], string>> & { readonly now: Date };

interface Message {
  readonly text: string;
  readonly sentAt: Date;
  readonly language: string | undefined;
  readonly sender: string;
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly category: string;
}

/** @throws UsageError, and ConfigFileError if a file is invalid */
export async function explainMessage(projectFolder: string, question: Question) {
  const { text, to, group, stage = "local", app, language, category = "message", now } = question;
  if (text === undefined) throw new UsageError("--text is missing");
  if (to !== undefined && group !== undefined) throw new UsageError("--to and --group exclude each other");
  const sentAt = question.at === undefined ? now : new Date(question.at);
  if (Number.isNaN(sentAt.getTime()))
    throw new UsageError(`--at ${question.at} is no time; write it like 2026-03-02T18:30:00Z`);
  await checkOwner(projectFolder, stage, app);
  const replies = await readOwn(projectFolder, "replies.yml", stage, app);
  const rules = replyRulesSchema.parse(replies.content);
  const message: Message = {
    text,
    sentAt,
    language,
    category,
    sender: (question.from ?? "somebody").toLowerCase(),
    receiver: (to ?? group ?? onlyReceiver(rules.rules)).toLowerCase(),
    receiverType: group === undefined ? "user" : "group",
  };
  const reply = explainReply(message, rules, replies.placeOf);
  const moderation = await explainModeration(projectFolder, stage, app, message);
  const autoReply = await readReplyState(projectFolder, stage);
  return {
    json: { stage, app, autoReply, message, ...reply.json, ...moderation.json },
    text: `${[
      `From ${message.sender} to ${group === undefined ? "" : "the group "}${message.receiver}, ${sentAt.toISOString()}, in the stage ${stage}, in ${app === undefined ? "an app without files of its own" : `the app ${app}`}`,
      "",
      "Replies",
      ...reply.lines,
      ...unsent[autoReply](stage),
      "",
      "Moderation",
      ...moderation.lines,
    ].join("\n")}\n`,
  };
}

/** @throws UsageError if there is no such stage, or it does not serve the app */
async function checkOwner(projectFolder: string, stage: string, app: string | undefined) {
  const stages = [...(await readStages(projectFolder)).keys()];
  const apps = await readServedApps(projectFolder, stages);
  if (!stages.includes(stage)) throw new UsageError(`There is no stage "${stage}"${hintAt(stage, stages)}`);
  const served = apps.get(stage) ?? [];
  if (app === undefined || served.includes(app)) return;
  const other = [...apps].find(([, appIds]) => appIds.includes(app))?.[0];
  const hint = other === undefined ? hintAt(app, served) : `; ${other} does: write --stage ${other}`;
  throw new UsageError(`The stage ${stage} does not serve an app "${app}"${hint}`);
}

function onlyReceiver(rules: readonly ReplyRule[]) {
  const receivers = [...new Set(rules.flatMap((rule) => ("receiver" in rule ? rule.receiver : [])))];
  const [receiver] = receivers;
  if (receiver !== undefined && receivers.length === 1) return receiver;
  throw new UsageError(`Name the receiver: --to ${receivers.join(", --to ") || "<uid>"} or --group <guid>`);
}

async function readOwn(projectFolder: string, name: string, stage: string, appId = "") {
  const layers = await readConfigLayers(projectFolder, name, stage);
  const own = layers.apps.get(appId);
  const texts = textsOf(layers, appId);
  const settings = settingsOf(name, layers);
  return {
    content: own === undefined ? settings.default : settings.apps[appId],
    placeOf: (key: string, index: number) => placeOf(textAt([key], texts), [key, index]),
  };
}

type PlaceOf = Awaited<ReturnType<typeof readOwn>>["placeOf"];

function explainReply(message: Message, all: ReturnType<typeof replyRulesSchema.parse>, placeOf: PlaceOf) {
  const reasons = all.rules.map((rule) => findMismatch(message, rule));
  const first = reasons.indexOf(undefined);
  const tried = first === -1 ? all.rules : all.rules.slice(0, first + 1);
  const rules = tried.map((rule, index) => {
    const reason = reasons[index];
    return { place: placeOf("rules", index), whyNot: reason && inWords(reason, rule) };
  });
  const found = all.rules[first];
  const reason = found && skipReason({ category: message.category, ageMs: 0 }, found, all);
  const passedOver = isIgnored(message, all)
    ? `ignoreSenders names ${message.sender}`
    : reason === "category"
      ? `categories has no ${message.category}`
      : reason;
  const isAnswered = found !== undefined && passedOver === undefined;
  const reply = isAnswered ? { place: placeOf("rules", first), text: found.text } : undefined;
  return {
    json: { reply, passedOver, rules },
    lines: [
      ...rules.map(({ place, whyNot }) => `  ${place}: ${whyNot ? `does not fit: ${whyNot}` : "fits"}`),
      reply === undefined
        ? `  Not answered: ${passedOver ?? "no rule fits"}.`
        : `  Answered by ${reply.place}: ${JSON.stringify(reply.text)}`,
    ],
  };
}

function inWords(reason: Mismatch, rule: ReplyRule) {
  const when = typeof rule.when === "object" ? rule.when : {};
  switch (reason) {
    case "receiver":
      return "group" in rule ? `it is for the group ${rule.group}` : `it is for ${rule.receiver}`;
    case "own-message":
      return "a user never answers themselves";
    case "words":
      return `the text has none of its words: ${when.words?.join(", ")}`;
    case "office-hours":
      return `it is within office hours of ${when.outsideOfficeHours?.timeZone}`;
  }
}

async function explainModeration(
  projectFolder: string,
  stage: string,
  app: string | undefined,
  { text, sender, language }: Message,
) {
  const { content, placeOf } = await readOwn(projectFolder, "moderation.yml", stage, app);
  const { lists: all, dropFrom } = moderationRulesSchema.parse(content);
  const question = { message: { sender, data: { text } }, context: [], language };
  const lists = all.map((list, index) => ({
    place: placeOf("lists", index),
    name: list.name,
    confidence: list.confidence,
    matches: createListMatcher([list])(question) !== undefined,
  }));
  const found = createListMatcher(all)(question);
  const held = found === undefined ? "pass" : found.confidence >= dropFrom ? "drop" : "note";
  const inEnglish = { pass: "delivered", note: "delivered with a note", drop: "dropped" }[held];
  const isMatching = found !== undefined;
  return {
    json: { lists, moderation: { list: found?.list, beforeMessage: held, isMatching } },
    lines: [
      ...lists.map(
        ({ place, name, confidence, matches }) =>
          `  ${place}: ${name} ${matches ? `matches, with ${confidence}` : "does not match"}`,
      ),
      `  before_message: ${inEnglish}; moderation engine: ${isMatching ? "a match" : "no match"}`,
    ],
  };
}

/** A trigger listed twice is in shadow if one entry is. */
async function readReplyState(projectFolder: string, stage: string): Promise<keyof typeof unsent> {
  const triggers = await readStageTriggers(projectFolder, stage);
  const named = triggers.filter(({ name }) => name === "auto-reply");
  if (named.length === 0) return "off";
  return named.some(({ isShadowed }) => isShadowed) ? "shadow" : "on";
}

const unsent = {
  on: () => [],
  shadow: () => ["  But it is only shown in log and metrics: config/triggers.yml has auto-reply in shadow."],
  off: (stage: string) => [
    `  But nothing is answered: config/triggers.yml does not turn auto-reply on in the stage ${stage}.`,
  ],
};
