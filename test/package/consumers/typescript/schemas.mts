import { defineFlow } from "cometchat-functions/flows";
import { onRequest } from "cometchat-functions/functions";
import { defineState, type Effects, type StateKind, settingsFrom } from "cometchat-functions/triggers";
import * as whole from "zod";
import * as mini from "zod/mini";

// Schemas have the type of their output, without an added undefined.

const bigger = whole.object({ at: whole.string() });
const smaller = mini.object({ at: mini.string() });
const file = { default: { at: "noon" }, apps: {} };
const kept = { per: "user", keepFor: "2d" } as const;
const ask = { url: "https://a.example", method: "POST" } as const;

export const answers = [
  onRequest({ auth: "none", body: bigger }, ({ body }) => body.at.length),
  onRequest({ auth: "none", body: smaller }, ({ body }) => body.at.length),
];
export const settings: string[] = [
  settingsFrom(file, bigger).of("app-1").at,
  settingsFrom(file, smaller).of("app-1").at,
];
export const states: StateKind<{ at: string }>[] = [
  defineState("bigger", bigger, kept),
  defineState("smaller", smaller, kept),
];
export const flows = [
  defineFlow("bigger", bigger, async (_, { at }) => at.length),
  defineFlow("smaller", smaller, async (_, { at }) => at.length),
];
export const asked = async (effects: Effects): Promise<string[]> => [
  (await effects.request("bigger", { ...ask, answer: bigger })).body.at,
  (await effects.request("smaller", { ...ask, answer: smaller })).body.at,
];
