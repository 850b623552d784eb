import { randomUUID } from "node:crypto";
import type { AppRequest } from "../http/route.ts";
import { known } from "../http/shape.ts";
import { objectsOf } from "../json.ts";
import {
  campaignFamily,
  changeObject,
  createObject,
  deleteObject,
  listObjects,
  refuse,
  requireObject,
  storedFamily,
  validText,
} from "./campaign-route.ts";

/** Stores templates without rendering them. */
export const templateRoutes = [
  ...storedFamily("CategoriesController", "category", {
    check(request) {
      const { id } = requireObject(request, "category");
      if (request.body.name !== undefined) requireFreeName(request, id);
    },
  }),
  ...storedFamily("TemplatesController", "template", { fields: ["status", "templateCategory"] }),
  ...storedFamily("ChannelsController", "channel", { ids: ["list", "getById"] }),
  ...campaignFamily({
    CategoriesController_create(request) {
      requireFreeName(request, undefined);
      const fields = known(request.body, "CategoriesController_create");
      return createObject(request, "category", { ...fields, id: randomUUID() });
    },
    CategoriesController_delete: (request) =>
      deleteObject(request, "category", requireObject(request, "category")),
    TemplatesController_create(request) {
      const given = known(request.body, "TemplatesController_create");
      const name = validText(given, "name");
      const types = objectsOf(given.channels).map((channel) => validText(channel, "channelType"));
      if (types.length === 0)
        throw refuse("ERR_VALIDATION", "The channels must be an array that is not empty.");
      if (new Set(types).size < types.length)
        throw refuse("ERR_CONFLICT", "A channel type may be used once.");
      const id = String(given.templateId ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"));
      return createObject(request, "template", { status: "draft", ...given, id, templateId: id, version: 1 });
    },
    TemplatesController_archive: (request) => changeObject(request, "template", { status: "archived" }),
    TemplatesController_updateChannelContent(request) {
      const channelType = request.param("channelType");
      const { content } = request.body;
      const all = objectsOf(requireObject(request, "template").channels);
      const isOne = all.some((channel) => channel.channelType === channelType);
      if (!isOne) requireObject(request, "channel", channelType);
      const changed = all.map((item) => (item.channelType === channelType ? { ...item, content } : item));
      return changeObject(request, "template", { channels: changed });
    },
    TemplatesController_createVersion(request) {
      const { version } = requireObject(request, "template");
      return changeObject(request, "template", { version: Number(version) + 1 });
    },
    ChannelsController_create(request) {
      const given = known(request.body, "ChannelsController_create");
      validText(given, "name");
      if (!channelTypes.includes(validText(given, "type"))) {
        throw refuse("ERR_VALIDATION", `The type must be one of: ${channelTypes.join(", ")}.`);
      }
      const id = String(given.channelId ?? randomUUID());
      return createObject(request, "channel", { enabled: false, ...given, id, channelId: id });
    },
    ChannelsController_getAvailability: () => channelTypes.map((type) => ({ type, available: true })),
  }),
];

function requireFreeName(request: AppRequest, ownId: string | undefined) {
  const name = validText(request.body, "name");
  if (listObjects(request, "category").some((one) => one.name === name && one.id !== ownId)) {
    throw refuse("ERR_CONFLICT", `The category ${name} already exists.`);
  }
}

const channelTypes = ["in_app", "push", "sms", "email", "whatsapp", "custom"];
