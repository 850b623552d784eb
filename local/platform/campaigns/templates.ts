import { randomUUID } from "node:crypto";
import { reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { deleteDocument } from "../store/documents.ts";
import {
  byUpdate,
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

const categoryShape = { name: "string", description: "string" } as const;
const channelShape = { name: "string", channelId: "string", enabled: "boolean", metadata: "object" } as const;
const templateShape = {
  name: "string",
  templateId: "string",
  templateCategory: "string",
  label: "string",
  alternativeText: "string",
  tags: "string[]",
  status: "string",
  variableSchema: "string[]",
  config: "object",
} as const;
const changeable = [
  "name",
  "templateCategory",
  "label",
  "alternativeText",
  "tags",
  "status",
  "variableSchema",
  "config",
] as const;

/** Declares template categories, templates and channels: they are stored, nothing is rendered from them. */
export const templateRoutes: readonly AppRoute[] = [
  campaignRoute(
    "CategoriesController_create",
    "POST /campaigns/templates/categories",
    (request) => {
      const name = freeName(request, validText(request.body, "name"), undefined);
      const category = { id: randomUUID(), name, ...pick(request.body, ["description"]) };
      return replyWith(201, putObject(request, "category", category));
    },
    { input: { body: categoryShape } },
  ),
  campaignRoute(
    "CategoriesController_findAll",
    "GET /campaigns/templates/categories",
    (request) => listReply(request, listObjects(request, "category"), "updatedAt"),
    { input: byUpdate },
  ),
  campaignRoute("CategoriesController_findById", "GET /campaigns/templates/categories/{id}", (request) =>
    reply(requireObject(request, "category", request.param("id"))),
  ),
  campaignRoute(
    "CategoriesController_update",
    "PUT /campaigns/templates/categories/{id}",
    (request) => {
      const id = request.param("id");
      const stored = requireObject(request, "category", id);
      if (request.body.name !== undefined) freeName(request, validText(request.body, "name"), id);
      return reply(
        putObject(request, "category", { ...stored, ...pick(request.body, ["name", "description"]), id }),
      );
    },
    { input: { body: categoryShape, needs: { any: ["name", "description"] } } },
  ),
  campaignRoute("CategoriesController_delete", "DELETE /campaigns/templates/categories/{id}", (request) => {
    const { id } = requireObject(request, "category", request.param("id"));
    deleteDocument(request, documentKind("category"), String(id));
    return reply({ id, success: true });
  }),
  campaignRoute("TemplatesController_create", "POST /campaigns/templates", createTemplate, {
    input: { body: templateShape },
    assumptions: [
      "`id` equals `templateId`, a slug of the name unless given.",
      "A new template is a draft, version 1.",
    ],
  }),
  campaignRoute(
    "TemplatesController_findAll",
    "GET /campaigns/templates",
    (request) =>
      listReply(
        request,
        filterObjects(request, listObjects(request, "template"), ["status", "templateCategory"]),
        "updatedAt",
      ),
    { input: byUpdate },
  ),
  campaignRoute("TemplatesController_findById", "GET /campaigns/templates/{id}", (request) =>
    reply(template(request)),
  ),
  campaignRoute(
    "TemplatesController_update",
    "PUT /campaigns/templates/{id}",
    (request) => reply(change(request, pick(request.body, changeable))),
    { input: { body: templateShape, needs: { any: changeable } } },
  ),
  campaignRoute("TemplatesController_archive", "DELETE /campaigns/templates/{id}", (request) =>
    reply(change(request, { status: "archived" })),
  ),
  campaignRoute(
    "TemplatesController_updateChannelContent",
    "PUT /campaigns/templates/{id}/channels/{channelType}",
    (request) => {
      const channelType = request.param("channelType");
      const { content } = request.body;
      if (!isJsonObject(content)) throw refuse("ERR_VALIDATION", "The content must be an object.");
      const channels = channelsOf(template(request));
      if (!channels.some((channel) => channel.channelType === channelType)) {
        requireObject(request, "channel", channelType);
      }
      return reply(
        change(request, {
          channels: channels.map((item) => (item.channelType === channelType ? { ...item, content } : item)),
        }),
      );
    },
  ),
  campaignRoute("TemplatesController_createVersion", "POST /campaigns/templates/{id}/versions", (request) =>
    replyWith(201, change(request, { version: Number(template(request).version) + 1 })),
  ),
  campaignRoute("ChannelsController_create", "POST /campaigns/channels", createChannel, {
    input: { body: channelShape },
    assumptions: ["`id` equals `channelId`, which is generated unless given."],
  }),
  campaignRoute(
    "ChannelsController_list",
    "GET /campaigns/channels",
    (request) => listReply(request, filterObjects(request, listObjects(request, "channel"), []), "updatedAt"),
    { input: byUpdate },
  ),
  campaignRoute("ChannelsController_getAvailability", "GET /campaigns/channels/availability", () =>
    reply(channelTypes.map((type) => ({ type, available: true }))),
  ),
  campaignRoute("ChannelsController_getById", "GET /campaigns/channels/{id}", (request) =>
    reply(requireObject(request, "channel", request.param("id"))),
  ),
  campaignRoute(
    "ChannelsController_update",
    "PUT /campaigns/channels/{id}",
    (request) => {
      const id = request.param("id");
      const stored = requireObject(request, "channel", id);
      return reply(
        putObject(request, "channel", {
          ...stored,
          ...pick(request.body, ["name", "enabled", "metadata"]),
          id,
        }),
      );
    },
    { input: { body: channelShape, needs: { any: ["name", "enabled", "metadata"] } } },
  ),
];

function createTemplate(request: AppRequest) {
  const name = validText(request.body, "name");
  const channels = channelsOf(request.body);
  const types = channels.map((channel) => validText(channel, "channelType"));
  if (channels.length === 0)
    throw refuse("ERR_VALIDATION", "The channels must be an array that is not empty.");
  if (new Set(types).size < types.length) throw refuse("ERR_CONFLICT", "A channel type may be used once.");
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const id = typeof request.body.templateId === "string" ? request.body.templateId : slug;
  if (listObjects(request, "template").some((known) => known.id === id)) {
    throw refuse("ERR_CONFLICT", `The template ${id} already exists.`);
  }
  const fields = pick(request.body, [...changeable, "channels"]);
  return replyWith(
    201,
    putObject(request, "template", { status: "draft", ...fields, id, templateId: id, name, version: 1 }),
  );
}

function createChannel(request: AppRequest) {
  const name = validText(request.body, "name");
  const type = validText(request.body, "type");
  if (!channelTypes.includes(type)) {
    throw refuse("ERR_VALIDATION", `The type must be one of: ${channelTypes.join(", ")}.`);
  }
  const id = typeof request.body.channelId === "string" ? request.body.channelId : randomUUID();
  if (listObjects(request, "channel").some((known) => known.id === id)) {
    throw refuse("ERR_CONFLICT", `The channel ${id} already exists.`);
  }
  const fields = pick(request.body, ["enabled", "metadata"]);
  return replyWith(
    201,
    putObject(request, "channel", { enabled: false, ...fields, id, channelId: id, name, type }),
  );
}

function template(request: AppRequest): JsonObject {
  return requireObject(request, "template", request.param("id"));
}

function change(request: AppRequest, fields: JsonObject): JsonObject {
  return putObject(request, "template", { ...template(request), ...fields, id: request.param("id") });
}

function freeName(request: AppRequest, name: string, ownId: string | undefined): string {
  if (listObjects(request, "category").some((known) => known.name === name && known.id !== ownId)) {
    throw refuse("ERR_CONFLICT", `The category ${name} already exists.`);
  }
  return name;
}

const channelTypes = ["in_app", "push", "sms", "email", "whatsapp", "custom"];
