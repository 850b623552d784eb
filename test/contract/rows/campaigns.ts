import { expect } from "vitest";
import { after, type World, withInput } from "../prepare.ts";
import {
  importingCampaign,
  newCampaign,
  newCategory,
  newChannel,
  newTemplate,
  scheduledCampaign,
  template,
} from "../prepare-campaigns.ts";
import { type Called, holding, kept, named, pluck, type Rows, sent, without } from "../row.ts";

const idsIn = (controller: string) => ({
  create: `${controller}_create`,
  list: `${controller}_findAll`,
  get: `${controller}_findById`,
  update: `${controller}_update`,
  delete: `${controller}_delete`,
});
const launch = { name: "Launch", templateId: "hello", templateVersion: 1 };
const theTemplate = ({ chat }: World, { path }: Called) => chat.templates.get(path("id"));
const theCampaign = ({ chat }: World, { path }: Called) => chat.campaigns.get(path("id"));

const bye = [
  { channelType: "in_app", content: { body: "bye" } },
  { channelType: "push", content: { body: "hi" } },
];

export const campaignRows: Rows = {
  ...kept({
    ids: without(idsIn("TemplatesController"), "delete"),
    list: ({ chat }) => chat.templates.list(),
    make: newTemplate,
    shown: template,
    change: { label: "New" },
    key: "id",
  }),
  TemplatesController_archive: {
    given: newTemplate,
    answers: named({ status: "archived" }),
    leaves: [theTemplate, { status: "archived" }],
  },
  TemplatesController_updateChannelContent: {
    given: withInput(newTemplate, { content: { body: "bye" } }),
    answers: named({ channels: bye }),
    leaves: [theTemplate, { channels: bye }],
  },
  TemplatesController_createVersion: {
    given: newTemplate,
    answers: named({ ...template, version: 2 }),
    leaves: [theTemplate, { version: 2 }],
  },
  ...kept({
    ids: idsIn("CategoriesController"),
    list: ({ chat }) => chat.templateCategories.list(),
    make: newCategory,
    shown: { name: "News" },
    change: { name: "Other" },
    key: "id",
  }),
  ChannelsController_getAvailability: {
    answers: holding({ type: "push", available: true }),
  },
  ...kept({
    ids: {
      create: "ChannelsController_create",
      list: "ChannelsController_list",
      get: "ChannelsController_getById",
      update: "ChannelsController_update",
    },
    list: ({ chat }) => chat.channels.list(),
    make: newChannel,
    shown: { name: "Push", type: "push" },
    change: { enabled: true },
    key: "id",
  }),
  CampaignsController_create: {
    given: after(newTemplate, { input: launch }),
    answers: { ...launch, status: "draft", totalTargets: 0 },
    leaves: [({ chat }) => pluck(chat.campaigns.list(), "name"), ["Launch"]],
  },
  ...kept({
    ids: without(idsIn("CampaignsController"), "create"),
    list: ({ chat }) => chat.campaigns.list(),
    make: newCampaign,
    shown: { ...launch, status: "draft", totalTargets: 1 },
    change: { name: "Later" },
    key: "id",
  }),
  CampaignsController_addRecipients: {
    given: withInput(newCampaign, { userIds: ["bob"] }),
    answers: { added: 1, total: 2 },
    leaves: [
      ({ chat }, { path }) => pluck(chat.campaigns.listRecipients(path("id")), "userId"),
      ["alice", "bob"],
    ],
  },
  CampaignsController_getRecipients: {
    given: newCampaign,
    answers: [{ userId: "alice", status: "pending" }],
  },
  CampaignsController_getRecipientSummary: { given: newCampaign, answers: { total: 1, pending: 1 } },
  CampaignsController_getUploadUrl: {
    given: newCampaign,
    answers: ({ path }) => ({
      uploadUrl: expect.stringContaining(path("id")),
      s3Key: expect.stringContaining(path("id")),
    }),
    traceless: "The address is answered and not kept.",
  },
  CampaignsController_importCsv: {
    given: withInput(newCampaign, { s3Key: "recipients.csv" }),
    answers: sent,
    leaves: [({ chat }, { path }) => chat.campaigns.importStatus(path("id")), { s3Key: "recipients.csv" }],
  },
  CampaignsController_getImportStatus: {
    given: importingCampaign,
    answers: { s3Key: "recipients.csv", status: "completed" },
  },
  CampaignsController_send: {
    given: newCampaign,
    answers: named({ ...launch, status: "completed", sentCount: 1 }),
    leaves: [theCampaign, { status: "completed", sentCount: 1 }],
  },
  CampaignsController_schedule: {
    given: withInput(newCampaign, { scheduledAt: 4_000_000_000 }),
    answers: named({ ...launch, status: "scheduled", scheduledAt: 4_000_000_000 }),
    leaves: [theCampaign, { status: "scheduled", scheduledAt: 4_000_000_000 }],
  },
  CampaignsController_cancel: {
    given: scheduledCampaign,
    answers: named({ ...launch, status: "cancelled" }),
    leaves: [theCampaign, { status: "cancelled" }],
  },
  CampaignsController_getSequenceMetrics: {
    given: newCampaign,
    answers: ({ path }) => ({ campaignId: path("id") }),
  },
};
