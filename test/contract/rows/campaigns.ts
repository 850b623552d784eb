import { expect } from "vitest";
import type { Sample, World } from "../prepare.ts";
import {
  importingCampaign,
  newCampaign,
  newCategory,
  newChannel,
  newTemplate,
  scheduledCampaign,
  template,
} from "../prepare-campaigns.ts";
import { type Called, holding, pluck, type Rows, sent, succeeded } from "../row.ts";

const withInput = (prepare: (world: World) => Promise<Sample>, input: object) => async (world: World) => ({
  ...(await prepare(world)),
  input,
});
const noPath = (prepare: (world: World) => Promise<Sample>) => async (world: World) => {
  await prepare(world);
  return {};
};

/** The thing that the path names, with these fields. */
const named = (fields: object) => (called: Called) => ({ ...fields, id: called.path("id") });
const launch = { name: "Launch", templateId: "hello", templateVersion: 1 };
const theTemplate = ({ chat }: World, { path }: Called) => chat.templates.get(path("id"));
const theCampaign = ({ chat }: World, { path }: Called) => chat.campaigns.get(path("id"));

const bye = [
  { channelType: "in_app", content: { body: "bye" } },
  { channelType: "push", content: { body: "hi" } },
];

export const campaignRows: Rows = {
  TemplatesController_create: {
    given: { input: template },
    answers: sent,
    leaves: [({ chat }) => pluck(chat.templates.list(), "name"), ["Hello"]],
  },
  TemplatesController_findAll: { given: noPath(newTemplate), answers: [{ id: "hello", ...template }] },
  TemplatesController_findById: { given: newTemplate, answers: named(template) },
  TemplatesController_update: {
    given: withInput(newTemplate, { label: "New" }),
    answers: named({ name: "Hello", label: "New" }),
    leaves: [theTemplate, { label: "New" }],
  },
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
  CategoriesController_create: {
    given: { input: { name: "News" } },
    answers: sent,
    leaves: [({ chat }) => pluck(chat.templateCategories.list(), "name"), ["News"]],
  },
  CategoriesController_findAll: { given: noPath(newCategory), answers: [{ name: "News" }] },
  CategoriesController_findById: { given: newCategory, answers: named({ name: "News" }) },
  CategoriesController_update: {
    given: withInput(newCategory, { name: "Other" }),
    answers: named({ name: "Other" }),
    leaves: [({ chat }, { path }) => chat.templateCategories.get(path("id")), { name: "Other" }],
  },
  CategoriesController_delete: {
    given: newCategory,
    answers: named(succeeded),
    leaves: [({ chat }) => pluck(chat.templateCategories.list(), "name"), []],
  },
  ChannelsController_create: {
    given: { input: { name: "Push", type: "push" } },
    answers: sent,
    leaves: [({ chat }) => pluck(chat.channels.list(), "name"), ["Push"]],
  },
  ChannelsController_list: { given: noPath(newChannel), answers: [{ name: "Push", type: "push" }] },
  ChannelsController_getAvailability: {
    answers: holding({ type: "push", available: true }),
  },
  ChannelsController_getById: { given: newChannel, answers: named({ name: "Push", type: "push" }) },
  ChannelsController_update: {
    given: withInput(newChannel, { enabled: true }),
    answers: named({ name: "Push", enabled: true }),
    leaves: [({ chat }, { path }) => chat.channels.get(path("id")), { enabled: true }],
  },
  CampaignsController_create: {
    given: async (world) => {
      await newTemplate(world);
      return { input: launch };
    },
    answers: { ...launch, status: "draft", totalTargets: 0 },
    leaves: [({ chat }) => pluck(chat.campaigns.list(), "name"), ["Launch"]],
  },
  CampaignsController_findAll: { given: noPath(newCampaign), answers: [{ ...launch, status: "draft" }] },
  CampaignsController_findById: { given: newCampaign, answers: named({ ...launch, totalTargets: 1 }) },
  CampaignsController_update: {
    given: withInput(newCampaign, { name: "Later" }),
    answers: named({ ...launch, name: "Later" }),
    leaves: [theCampaign, { name: "Later" }],
  },
  CampaignsController_delete: {
    given: newCampaign,
    answers: named(succeeded),
    leaves: [({ chat }) => pluck(chat.campaigns.list(), "name"), []],
  },
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
