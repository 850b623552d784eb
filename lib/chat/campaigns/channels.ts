import * as z from "zod/mini";
import { undocumented } from "../answers.ts";
import { json, opt, optional, word, words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { campaignEntityAnswer, cursorFields } from "./campaign-input.ts";

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
      z.strictObject({
        name: words(1_000),
        type: z.enum(["in_app", "push", "sms", "email", "whatsapp", "custom"]),
        ...optional({ channelId: word(), enabled: yesNo(), metadata: json() }),
      }),
    answer: campaignEntityAnswer,
  },
  /** Lists channels. */
  list: {
    id: "ChannelsController_list",
    documented: "none",
    request: "GET /campaigns/channels",
    input: () =>
      z.strictObject({
        ...cursorFields(),
        sort: opt(z.enum(["channelType", "createdAt", "updatedAt"])),
        search: opt(word()),
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
    input: () => z.strictObject(optional({ name: words(1_000), enabled: yesNo(), metadata: json() })),
    answer: campaignEntityAnswer,
  },
} as const satisfies Family;
