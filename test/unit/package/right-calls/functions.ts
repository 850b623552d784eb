import * as z from "zod/mini";
import { basic } from "../../../../lib/endpoints/own/basic.ts";
import { jwt } from "../../../../lib/endpoints/own/jwt.ts";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../../lib/endpoints/own/on-schedule.ts";
import { RefusedRequestError } from "../../../../lib/endpoints/own/refusal.ts";
import { calling, type RightCalls } from "../right-call.ts";

const services = {
  access: { appIds: [], open() {}, secretOf() {} },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  takeTurn() {},
  hint() {},
  count() {},
  now: Date.now,
};
const standing = {
  whole: ["0.access", "0.log"],
  free: ["0"],
};

export const functionCalls: RightCalls = {
  onRequest: {
    args: [
      {
        auth: basic({ username: "u", password: "p" }),
        body: z.object({}),
        mostBodyBytes: 1,
        origins: () => [],
        perSource: () => ({ most: 1, windowMs: 1 }),
      },
      () => ({}),
    ],
    whole: ["0.auth", "0.body"],
  },
  "onRequest, on": {
    args: [services],
    call: calling(onRequest({ auth: "none" }, () => ({})).on),
    ...standing,
  },
  onSchedule: {
    args: [async () => {}, { runsFor: () => true }],
  },
  "onSchedule, on": {
    args: [services],
    call: calling(onSchedule(async () => {}).on),
    ...standing,
  },
  effectsOf: {
    args: [
      {
        app: { appId: "app-1", region: "us" },
        chat: { using: () => ({}) },
        run: { source: "request", key: "key", receivedAt: 0, acts: { open: () => ({ loopGuardOf() {} }) } },
      },
      "order-7",
    ],
    whole: ["0"],
  },
  onAgentTool: {
    args: ["order-status", z.object({}), () => ({})],
    whole: ["1"],
  },
  onAgentRun: { args: [async () => {}] },
  createAgentEndpoint: {
    args: [{ credentials: { key: "a-key-of-ours" }, handler: async () => {}, limitMs: 1_000, now: Date.now }],
    whole: ["0.credentials"],
  },
  basic: {
    args: [{ username: "u", password: "p" }],
  },
  jwt: {
    args: [() => undefined, { now: Date.now, fetchKeySet: async () => ({}) }],
  },
  "jwt, what settingsOf gives": {
    args: [{ issuer: "i", audience: ["a"], keys: { secrets: ["k"], algorithms: ["HS256"] } }],
    call: async (settings) => {
      const auth: object = Reflect.apply(jwt, undefined, [() => settings]);
      const tools = { appId: "app-1", deadlineMs: 1, now: Date.now, note() {}, secrets: {} };
      try {
        await Reflect.apply(Reflect.get(auth, "identify"), undefined, [{ headers: {} }, tools]);
      } catch (error) {
        // Without credentials: valid settings lead to that answer.
        if (!(error instanceof RefusedRequestError)) throw error;
      }
    },
  },
  RefusedRequestError: {
    args: [404, "not_there", "It is not there.", { "retry-after": "1" }],
    call: (...args) => Reflect.construct(RefusedRequestError, args),
    free: ["3"],
  },
  pass: { args: [] },
  drop: { args: [] },
  noMatch: { args: [] },
  match: {
    args: [{ confidence: 1, reason: "x" }],
    // The finding may have more than the answer, such as the message's list.
    free: ["0"],
  },
  annotate: {
    args: [{ seen: true }],
    free: ["0"],
  },
};
