import { randomUUID } from "node:crypto";
import type { AppRequest } from "../http/route.ts";
import { isJsonObject } from "../json.ts";
import {
  campaignRoute,
  changeObject,
  channelsOf,
  deleteObject,
  getRoute,
  listObjects,
  listRoute,
  pick,
  putObject,
  refuse,
  replyWith,
  requireFreeId,
  requireObject,
  validText,
} from "./campaign-route.ts";

const categoryShape = { name: "string", description: "string" } as const;
const channelShape = { name: "string", channelId: "string", enabled: "boolean", metadata: "object" } as const;
const changeableShape = {
  name: "string",
  templateCategory: "string",
  label: "string",
  alternativeText: "string",
  tags: "string[]",
  status: "string",
  variableSchema: "string[]",
  config: "object",
} as const;
const templateShape = { ...changeableShape, templateId: "string" } as const;
const changeable = Object.keys(changeableShape);
const categories = "/campaigns/templates/categories";
const templates = "/campaigns/templates";
const channels = "/campaigns/channels";

/** Stored only: nothing is rendered from them. */
export const templateRoutes = [
  campaignRoute(
    "CategoriesController_create",
    `POST ${categories}`,
    (request) => {
      const name = freeName(request, validText(request.body, "name"), undefined);
      const category = { id: randomUUID(), name, ...pick(request.body, ["description"]) };
      return replyWith(201, putObject(request, "category", category));
    },
    [],
    { input: { body: categoryShape } },
  ),
  listRoute("CategoriesController_findAll", categories, "category"),
  getRoute("CategoriesController_findById", categories, "category"),
  campaignRoute(
    "CategoriesController_update",
    `PUT ${categories}/{id}`,
    (request) => {
      const { id } = requireObject(request, "category");
      if (request.body.name !== undefined) freeName(request, validText(request.body, "name"), id);
      return changeObject(request, "category", pick(request.body, ["name", "description"]));
    },
    [],
    { input: { body: categoryShape, needs: { any: ["name", "description"] } } },
  ),
  campaignRoute("CategoriesController_delete", `DELETE ${categories}/{id}`, (request) =>
    deleteObject(request, "category", requireObject(request, "category")),
  ),
  campaignRoute(
    "TemplatesController_create",
    `POST ${templates}`,
    createTemplate,
    ["`id` equals `templateId`, a slug of the name unless given.", "A new template is a draft, version 1."],
    { input: { body: templateShape } },
  ),
  listRoute("TemplatesController_findAll", templates, "template", {
    fields: ["status", "templateCategory"],
  }),
  getRoute("TemplatesController_findById", templates, "template"),
  campaignRoute(
    "TemplatesController_update",
    `PUT ${templates}/{id}`,
    (request) => changeObject(request, "template", pick(request.body, changeable)),
    [],
    { input: { body: templateShape, needs: { any: changeable } } },
  ),
  campaignRoute("TemplatesController_archive", `DELETE ${templates}/{id}`, (request) =>
    changeObject(request, "template", { status: "archived" }),
  ),
  campaignRoute(
    "TemplatesController_updateChannelContent",
    `PUT ${templates}/{id}/channels/{channelType}`,
    (request) => {
      const channelType = request.param("channelType");
      const { content } = request.body;
      if (!isJsonObject(content)) throw refuse("ERR_VALIDATION", "The content must be an object.");
      const known = channelsOf(requireObject(request, "template"));
      if (!known.some((channel) => channel.channelType === channelType)) {
        requireObject(request, "channel", channelType);
      }
      const changed = known.map((item) => (item.channelType === channelType ? { ...item, content } : item));
      return changeObject(request, "template", { channels: changed });
    },
  ),
  campaignRoute("TemplatesController_createVersion", `POST ${templates}/{id}/versions`, (request) => {
    const { version } = requireObject(request, "template");
    return replyWith(201, changeObject(request, "template", { version: Number(version) + 1 }));
  }),
  campaignRoute(
    "ChannelsController_create",
    `POST ${channels}`,
    createChannel,
    ["`id` equals `channelId`, which is generated unless given."],
    { input: { body: channelShape } },
  ),
  listRoute("ChannelsController_list", channels, "channel", { fields: [] }),
  campaignRoute("ChannelsController_getAvailability", `GET ${channels}/availability`, () =>
    channelTypes.map((type) => ({ type, available: true })),
  ),
  getRoute("ChannelsController_getById", channels, "channel"),
  campaignRoute(
    "ChannelsController_update",
    `PUT ${channels}/{id}`,
    (request) => changeObject(request, "channel", pick(request.body, ["name", "enabled", "metadata"])),
    [],
    { input: { body: channelShape, needs: { any: ["name", "enabled", "metadata"] } } },
  ),
];

function createTemplate(request: AppRequest) {
  const { body } = request;
  const name = validText(body, "name");
  const given = channelsOf(body);
  const types = given.map((channel) => validText(channel, "channelType"));
  if (given.length === 0) throw refuse("ERR_VALIDATION", "The channels must be an array that is not empty.");
  if (new Set(types).size < types.length) throw refuse("ERR_CONFLICT", "A channel type may be used once.");
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const id = typeof body.templateId === "string" ? body.templateId : slug;
  requireFreeId(request, "template", id);
  const fields = pick(body, [...changeable, "channels"]);
  const template = { status: "draft", ...fields, id, templateId: id, name, version: 1 };
  return replyWith(201, putObject(request, "template", template));
}

function createChannel(request: AppRequest) {
  const { body } = request;
  const name = validText(body, "name");
  const type = validText(body, "type");
  if (!channelTypes.includes(type)) {
    throw refuse("ERR_VALIDATION", `The type must be one of: ${channelTypes.join(", ")}.`);
  }
  const id = typeof body.channelId === "string" ? body.channelId : randomUUID();
  requireFreeId(request, "channel", id);
  const channel = { enabled: false, ...pick(body, ["enabled", "metadata"]), id, channelId: id, name, type };
  return replyWith(201, putObject(request, "channel", channel));
}

function freeName(request: AppRequest, name: string, ownId: string | undefined) {
  if (listObjects(request, "category").some((known) => known.name === name && known.id !== ownId)) {
    throw refuse("ERR_CONFLICT", `The category ${name} already exists.`);
  }
  return name;
}

const channelTypes = ["in_app", "push", "sms", "email", "whatsapp", "custom"];
