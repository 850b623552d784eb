import * as z from "zod/mini";
import { undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import { int, json, list, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";
import { campaignEntityAnswer, cursorFields } from "./campaign-input.ts";

const channel = () =>
  strictObject({
    channelType: words(100),
    ...optional({
      channelId: word,
      content: json,
      dataType: z.enum(["ui_template", "data_template"]),
      categoryFilterEnabled: yesNo,
      templateLabelEnabled: yesNo,
      messageRetentionHours: int,
      sequenceOrder: int,
      stopCondition: word,
      /** 5, 10, 30, 60, 240 or 1440. */
      waitMinutes: z.literal([5, 10, 30, 60, 240, 1_440]),
    }),
  });

const categories = () =>
  z.enum(["Onboarding", "Transactional", "Marketing", "Product_Showcase", "Alerts", "Polls", "Custom"]);

const content = () =>
  optional({
    label: word,
    alternativeText: word,
    tags: list,
    variableSchema: list,
    config: json,
  });

/**
 * Templates of campaigns. See docs/internals/platform/campaigns.md#templates.
 * @example
 * const { id } = await chat.templates.create({
 *   name: "Hello",
 *   status: "approved",
 *   templateCategory: "Alerts",
 *   channels: [{ channelType: "in_app", content: { body: "Welcome!" } }],
 * });
 */
export const templates = {
  /** Creates a template with its channels. Give `templateId`, and look for it before you repeat it. */
  create: {
    id: "TemplatesController_create",
    documented: "none",
    request: "POST /campaigns/templates",
    input: () =>
      strictObject({
        name: words(1_000),
        channels: z.array(channel()),
        ...optional({
          templateId: word,
          templateCategory: categories,
          status: z.enum(["draft", "approved", "archived"]),
        }),
        ...content(),
      }),
    answer: campaignEntityAnswer,
  },
  /** Lists templates. */
  list: {
    id: "TemplatesController_findAll",
    documented: "none",
    request: "GET /campaigns/templates",
    input: () =>
      strictObject({
        ...cursorFields(),
        ...optional({
          sort: z.enum(["updatedAt", "createdAt", "name"]),
          status: word,
          search: word,
          tags: list,
          tagMatch: z.enum(["any", "all"]),
          templateCategory: word,
        }),
      }),
    csv: ["tags"],
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Reads a template. Errors: ERR_TEMPLATE_NOT_FOUND. */
  get: {
    id: "TemplatesController_findById",
    documented: "none",
    request: "GET /campaigns/templates/{id}",
    answer: campaignEntityAnswer,
  },
  /** Changes a template. Errors: ERR_TEMPLATE_NOT_FOUND. */
  update: {
    id: "TemplatesController_update",
    documented: "none",
    request: "PUT /campaigns/templates/{id}",
    input: () =>
      strictObject({
        ...optional({ name: words(1_000), templateCategory: word, status: word }),
        ...content(),
      }),
    answer: campaignEntityAnswer,
  },
  /** Archives a template; it is not deleted. Errors: ERR_TEMPLATE_NOT_FOUND. */
  archive: {
    id: "TemplatesController_archive",
    documented: "none",
    request: "DELETE /campaigns/templates/{id}",
    answer: undocumented,
  },
  /** Replaces the content of one channel. Errors: ERR_TEMPLATE_NOT_FOUND. */
  updateChannelContent: {
    id: "TemplatesController_updateChannelContent",
    documented: "none",
    request: "PUT /campaigns/templates/{id}/channels/{channelType}",
    input: () => strictObject({ content: json }),
    answer: undocumented,
  },
  /** Creates a new version of a template at each call. */
  createVersion: {
    id: "TemplatesController_createVersion",
    documented: "none",
    request: "POST /campaigns/templates/{id}/versions",
    answer: campaignEntityAnswer,
  },
} as const satisfies Family;

const categoryInput = () => ({ description: opt(word) });

/**
 * Categories of templates. See docs/internals/platform/campaigns.md#templates.
 * @example
 * await chat.templateCategories.create({ name: "News" });
 * for await (const { id, name } of chat.templateCategories.list()) console.log(id, name);
 */
export const templateCategories = {
  /** Creates a category. Errors: 409 for a name in use (after an unclear try: done). */
  create: {
    id: "CategoriesController_create",
    documented: "none",
    request: "POST /campaigns/templates/categories",
    input: () => strictObject({ name: words(1_000), ...categoryInput() }),
    answer: campaignEntityAnswer,
  },
  /** Lists categories. */
  list: {
    id: "CategoriesController_findAll",
    documented: "none",
    request: "GET /campaigns/templates/categories",
    input: () => strictObject({ ...cursorFields(), sort: opt(z.enum(["name", "createdAt", "updatedAt"])) }),
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Reads a category. */
  get: {
    id: "CategoriesController_findById",
    documented: "none",
    request: "GET /campaigns/templates/categories/{id}",
    answer: campaignEntityAnswer,
  },
  /** Changes a category. Errors: 409 for a name in use. */
  update: {
    id: "CategoriesController_update",
    documented: "none",
    request: "PUT /campaigns/templates/categories/{id}",
    input: () => strictObject({ name: opt(words(1_000)), ...categoryInput() }),
    answer: campaignEntityAnswer,
  },
  /** Deletes a category. */
  delete: {
    id: "CategoriesController_delete",
    documented: "none",
    request: "DELETE /campaigns/templates/categories/{id}",
    answer: undocumented,
  },
} as const satisfies Family;

/**
 * Ways campaigns reach users; a channel cannot be deleted. See docs/internals/platform/campaigns.md#channels.
 * @example
 * const { id } = await chat.channels.create({ name: "Push", type: "push" });
 * if (id) await chat.channels.update(id, { enabled: true });
 */
export const channels = {
  /** Creates a channel, off unless `enabled`. Errors: 409 for a channelId in use. */
  create: {
    id: "ChannelsController_create",
    documented: "none",
    request: "POST /campaigns/channels",
    input: () =>
      strictObject({
        name: words(1_000),
        type: z.enum(["in_app", "push", "sms", "email", "whatsapp", "custom"]),
        ...optional({ channelId: word, enabled: yesNo, metadata: json }),
      }),
    answer: campaignEntityAnswer,
  },
  /** Lists channels. */
  list: {
    id: "ChannelsController_list",
    documented: "none",
    request: "GET /campaigns/channels",
    input: () =>
      strictObject({
        ...cursorFields(),
        sort: opt(z.enum(["channelType", "createdAt", "updatedAt"])),
        search: opt(word),
      }),
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Lists the available channel types. */
  availability: {
    id: "ChannelsController_getAvailability",
    documented: "none",
    request: "GET /campaigns/channels/availability",
    answer: undocumented,
  },
  /** Reads a channel. Errors: ERR_CHANNEL_NOT_FOUND. */
  get: {
    id: "ChannelsController_getById",
    documented: "none",
    request: "GET /campaigns/channels/{id}",
    answer: campaignEntityAnswer,
  },
  /** Changes a channel. Errors: ERR_CHANNEL_NOT_FOUND. */
  update: {
    id: "ChannelsController_update",
    documented: "none",
    request: "PUT /campaigns/channels/{id}",
    input: () => strictObject(optional({ name: words(1_000), enabled: yesNo, metadata: json })),
    answer: campaignEntityAnswer,
  },
} as const satisfies Family;
