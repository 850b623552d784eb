import { randomUUID } from "node:crypto";
import { reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { deleteDocument } from "../store/documents.ts";
import {
  campaignRoute,
  channelsOf,
  documentKind,
  filterObjects,
  listObjects,
  listReply,
  pick,
  putObject,
  refuse,
  replyWith,
  requireObject,
  validText,
} from "./campaign-route.ts";

/** Declares template categories, templates and channels: they are stored, nothing is rendered from them. */
export const templateRoutes: readonly AppRoute[] = [
  campaignRoute("CategoriesController_create", "POST /templates/categories", (call) => {
    const name = freeName(call, validText(call.body, "name"), undefined);
    const category = { id: randomUUID(), name, ...pick(call.body, ["description"]) };
    return replyWith(201, putObject(call, "category", category));
  }),
  campaignRoute("CategoriesController_findAll", "GET /templates/categories", (call) =>
    listReply(call, listObjects(call, "category"), "updatedAt"),
  ),
  campaignRoute("CategoriesController_findById", "GET /templates/categories/{id}", (call) =>
    reply(requireObject(call, "category", call.param("id"))),
  ),
  campaignRoute("CategoriesController_update", "PUT /templates/categories/{id}", (call) => {
    const id = call.param("id");
    const stored = requireObject(call, "category", id);
    if (call.body.name !== undefined) freeName(call, validText(call.body, "name"), id);
    return reply(putObject(call, "category", { ...stored, ...pick(call.body, ["name", "description"]), id }));
  }),
  campaignRoute("CategoriesController_delete", "DELETE /templates/categories/{id}", (call) => {
    const { id } = requireObject(call, "category", call.param("id"));
    deleteDocument(call.db, call.app.appId, documentKind("category"), String(id));
    return reply({ id, success: true });
  }),
  campaignRoute("TemplatesController_create", "POST /templates", createTemplate, {
    assumptions: [
      "`id` equals `templateId`, a slug of the name unless given.",
      "A new template is a draft, version 1.",
    ],
  }),
  campaignRoute("TemplatesController_findAll", "GET /templates", (call) =>
    listReply(
      call,
      filterObjects(call, listObjects(call, "template"), ["status", "templateCategory"]),
      "updatedAt",
    ),
  ),
  campaignRoute("TemplatesController_findById", "GET /templates/{id}", (call) => reply(template(call))),
  campaignRoute("TemplatesController_update", "PUT /templates/{id}", (call) =>
    reply(change(call, pick(call.body, changeable))),
  ),
  campaignRoute("TemplatesController_archive", "DELETE /templates/{id}", (call) =>
    reply(change(call, { status: "archived" })),
  ),
  campaignRoute(
    "TemplatesController_updateChannelContent",
    "PUT /templates/{id}/channels/{channelType}",
    (call) => {
      const channelType = call.param("channelType");
      const { content } = call.body;
      if (!isJsonObject(content)) throw refuse("ERR_VALIDATION", "The content must be an object.");
      const channels = channelsOf(template(call));
      if (!channels.some((channel) => channel.channelType === channelType)) {
        requireObject(call, "channel", channelType);
      }
      return reply(
        change(call, {
          channels: channels.map((item) => (item.channelType === channelType ? { ...item, content } : item)),
        }),
      );
    },
  ),
  campaignRoute("TemplatesController_createVersion", "POST /templates/{id}/versions", (call) =>
    replyWith(201, change(call, { version: Number(template(call).version) + 1 })),
  ),
  campaignRoute("ChannelsController_create", "POST /channels", createChannel, {
    assumptions: ["`id` equals `channelId`, which is generated unless given."],
  }),
  campaignRoute("ChannelsController_list", "GET /channels", (call) =>
    listReply(call, filterObjects(call, listObjects(call, "channel"), []), "updatedAt"),
  ),
  campaignRoute("ChannelsController_getAvailability", "GET /channels/availability", () =>
    reply(channelTypes.map((type) => ({ type, available: true }))),
  ),
  campaignRoute("ChannelsController_getById", "GET /channels/{id}", (call) =>
    reply(requireObject(call, "channel", call.param("id"))),
  ),
  campaignRoute("ChannelsController_update", "PUT /channels/{id}", (call) => {
    const id = call.param("id");
    const stored = requireObject(call, "channel", id);
    return reply(
      putObject(call, "channel", { ...stored, ...pick(call.body, ["name", "enabled", "metadata"]), id }),
    );
  }),
];

function createTemplate(call: AppCall) {
  const name = validText(call.body, "name");
  const channels = channelsOf(call.body);
  const types = channels.map((channel) => validText(channel, "channelType"));
  if (channels.length === 0)
    throw refuse("ERR_VALIDATION", "The channels must be an array that is not empty.");
  if (new Set(types).size < types.length) throw refuse("ERR_CONFLICT", "A channel type may be used once.");
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const id = typeof call.body.templateId === "string" ? call.body.templateId : slug;
  if (listObjects(call, "template").some((known) => known.id === id)) {
    throw refuse("ERR_CONFLICT", `The template ${id} already exists.`);
  }
  const fields = pick(call.body, [...changeable, "channels"]);
  return replyWith(
    201,
    putObject(call, "template", { status: "draft", ...fields, id, templateId: id, name, version: 1 }),
  );
}

function createChannel(call: AppCall) {
  const name = validText(call.body, "name");
  const type = validText(call.body, "type");
  if (!channelTypes.includes(type)) {
    throw refuse("ERR_VALIDATION", `The type must be one of: ${channelTypes.join(", ")}.`);
  }
  const id = typeof call.body.channelId === "string" ? call.body.channelId : randomUUID();
  if (listObjects(call, "channel").some((known) => known.id === id)) {
    throw refuse("ERR_CONFLICT", `The channel ${id} already exists.`);
  }
  const fields = pick(call.body, ["enabled", "metadata"]);
  return replyWith(
    201,
    putObject(call, "channel", { enabled: false, ...fields, id, channelId: id, name, type }),
  );
}

function template(call: AppCall): JsonObject {
  return requireObject(call, "template", call.param("id"));
}

function change(call: AppCall, fields: JsonObject): JsonObject {
  return putObject(call, "template", { ...template(call), ...fields, id: call.param("id") });
}

function freeName(call: AppCall, name: string, ownId: string | undefined): string {
  if (listObjects(call, "category").some((known) => known.name === name && known.id !== ownId)) {
    throw refuse("ERR_CONFLICT", `The category ${name} already exists.`);
  }
  return name;
}

const changeable = [
  "name",
  "templateCategory",
  "label",
  "alternativeText",
  "tags",
  "status",
  "variableSchema",
  "config",
];
const channelTypes = ["in_app", "push", "sms", "email", "whatsapp", "custom"];
