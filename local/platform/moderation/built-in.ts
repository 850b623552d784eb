import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { putKeywordList, putRule } from "./moderation-store.ts";
import type { Condition } from "./rule.ts";

/**
 * Stores the rules and the keyword list every app starts with. Their ids were seen, also that they carry
 * `default: true`; what they hold is ours, and they are off until somebody turns them on (assumed).
 * @see docs/platform/moderation.md#rules, docs/platform/moderation.md#keyword-lists
 */
export function addBuiltInModeration({ db }: Services, { appId, createdAt }: App): void {
  const stamp = { active: true, createdAt, updatedAt: createdAt, default: true };
  putKeywordList(db, appId, {
    id: profanityList,
    name: "profane word list",
    description: "Words the platform calls profane.",
    category: "word",
    isCSV: true,
    searchTerms: ["damn", "crap", "bloody hell"],
    revisionId: `default_${profanityList}_1`,
    ...stamp,
  });
  for (const [id, name, condition] of builtInRules) {
    putRule(db, appId, {
      id,
      name,
      description: name,
      enabled: false,
      conditions: [{ ...conditionBase, ...condition }],
      action: ["blockMessage"],
      revisionId: `default_${id}_1`,
      ...stamp,
    });
  }
}

const profanityList = "profanity-list";

const conditionBase: Condition = {
  id: 1,
  isKeywordsReferencePresent: false,
  isMediaPresent: false,
  entity: "message",
  operand: "text",
  category: "word",
  operator: "contains",
  value: [],
  message: [],
};

const builtInRules: readonly (readonly [string, string, Partial<Condition>])[] = [
  [
    "text-profanity-filter",
    "Text Profanity Filter",
    {
      isKeywordsReferencePresent: true,
      value: [profanityList],
      message: ["Text message contains profanity"],
    },
  ],
  [
    "custom-profanity-filter",
    "Custom Profanity Filter",
    {
      operand: "custom",
      isKeywordsReferencePresent: true,
      value: [profanityList],
      message: ["Custom message contains profanity"],
    },
  ],
  [
    "image-moderation",
    "AI Image Moderation",
    {
      operand: "image",
      isMediaPresent: true,
      value: ["Any unsafe content_greaterThan_70"],
      message: ["Image contains unsafe content with confidence greater than 70"],
    },
  ],
  [
    "video-moderation",
    "Video Moderation",
    {
      operand: "video",
      isMediaPresent: true,
      value: ["Any unsafe content_greaterThan_70"],
      message: ["Video contains unsafe content with confidence greater than 70"],
    },
  ],
  [
    "contact_details_filter",
    "Contact Details Filter",
    {
      category: "pattern",
      value: [String.raw`\+?\d[\d\s().-]{7,}\d`],
      message: ["Text message contains a phone number"],
    },
  ],
  [
    "email_filter",
    "Email Filter",
    {
      category: "pattern",
      value: [String.raw`[\w.+-]+@[\w-]+\.[\w.-]+`],
      message: ["Text message contains an e-mail address"],
    },
  ],
];
