import process from "node:process";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { groups } from "../../../lib/chat/resources/groups.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";
import { basic } from "../../../lib/endpoints/own/basic.ts";
import { onRequest } from "../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../lib/endpoints/own/on-schedule.ts";
import { runRequest } from "../../../local/testing/run-request.ts";
import { runSchedule } from "../../../local/testing/run-schedule.ts";
import { letKitDecide } from "./kit-world.ts";

letKitDecide();

const auth = basic({ username: "shopUsername", password: "shopPassword" });
const secrets = { shopUsername: "shop", shopPassword: "a-long-password" };
const asShop = { Authorization: `Basic ${btoa("shop:a-long-password")}` };
const body = z.object({ text: z.string() });

const notify = onRequest({ auth, body }, async ({ body, chat, log, count, query, path }) => {
  const { id } = await chat.using({ messages }).messages.send(
    {
      receiver: "lobby",
      receiverType: "group",
      category: "message",
      type: "text",
      data: { text: body.text },
    },
    { onBehalfOf: "support" },
  );
  log.info("told a group", { messageId: id });
  count("GroupTold", {});
  return { id, from: query.from ?? "", page: query.page ?? "", of: path.appId ?? "" };
});
const countGroups = onSchedule(async ({ app, chat, input }) => {
  if (app.appId === "app-2") throw new Error("no such table");
  const found: string[] = [];
  for await (const { guid } of chat.using({ groups }).groups.list()) found.push(guid);
  return { found, input };
});

it("passes a request on as the gateway does, and returns the result", async () => {
  const outcome = await runRequest(
    notify,
    { path: "/notify/app-1?from=shop", headers: asShop, query: { page: "2 3" }, body: { text: "Grüße" } },
    { secrets, route: "POST /notify/{appId}" },
  );

  expect(outcome).toMatchObject({
    status: 200,
    headers: { "content-type": "application/json" },
    body: { from: "shop", page: "2 3", of: "app-1" },
    sent: [{ from: "support", to: "lobby", text: "Grüße" }],
    requests: [{ method: "POST", path: "/messages", onBehalfOf: "support", status: 200 }],
  });
  expect(outcome.log).toMatchObject([{ level: "info", message: "told a group" }]);
  expect(outcome.counts.get("GroupTold")).toBe(1);
});

it("takes the only app if the route names none, and refuses an app that is not served", async () => {
  const request = { path: "/notify/app-2", headers: asShop, body: { text: "x" } };

  const routeless = await runRequest(notify, request, { secrets });
  const strange = await runRequest(notify, request, { secrets, route: "POST /notify/{appId}" });

  expect([routeless.status, strange.status]).toEqual([200, 404]);
  expect(strange.sent).toEqual([]);
});

it("reports a path outside of the route", async () => {
  const played = runRequest(notify, { path: "/other/app-1" }, { route: "POST /notify/{appId}" });

  await expect(played).rejects.toThrow(
    "No route takes POST /other/app-1: there is only POST /notify/{appId}.",
  );
});

it("lets the test answer instead of the platform", async () => {
  const answer = () =>
    Response.json({ error: { code: "ERR_GUID_NOT_FOUND", message: "no" } }, { status: 404 });

  const { status, sent, requests } = await runRequest(
    notify,
    { path: "/notify", headers: asShop, body: { text: "x" } },
    { secrets, answer },
  );

  expect([status, sent, requests.map(({ status }) => status)]).toEqual([500, [], [404]]);
});

it("runs in parallel, each with its own platform, and leaves the process unchanged", async () => {
  const before = { ...process.env };
  const texts = ["a", "b", "c", "d"];

  const outcomes = await Promise.all(
    texts.map((text) => runRequest(notify, { path: "/", headers: asShop, body: { text } }, { secrets })),
  );

  expect(outcomes.map(({ sent }) => sent.map(({ text }) => text))).toEqual(texts.map((text) => [text]));
  expect({ ...process.env }).toEqual(before);
});

it("starts a schedule as EventBridge does, for each app", async () => {
  const clock = new Date("2030-01-01T04:00:00Z");

  const { apps, isFailed, requests } = await runSchedule(countGroups, {
    appIds: ["app-1", "app-3"],
    app: { groups: [{ guid: "club", name: "Club", type: "public" }] },
    clock,
  });

  const input = { source: "aws.events", "detail-type": "Scheduled Event", time: "2030-01-01T04:00:00Z" };
  expect([isFailed, apps]).toMatchObject([
    false,
    ["app-1", "app-3"].map((appId) => ({ appId, result: { input } })),
  ]);
  expect(JSON.stringify(apps)).toContain('"club"');
  expect(requests.map(({ path }) => path)).toEqual(["/groups", "/groups"]);
});

it("reports the app for which a schedule failed, and the actions already taken", async () => {
  const input = { dryRun: true };

  const { apps, isFailed, log } = await runSchedule(countGroups, { appIds: ["app-2", "app-1"], input });

  expect(isFailed).toBe(true);
  expect(apps).toMatchObject([
    { appId: "app-2", error: "Error: no such table" },
    { appId: "app-1", result: { input } },
  ]);
  expect(log).toMatchObject([{ level: "error", fields: { appId: "app-2" } }]);
});

it("reports a function of the wrong kind", async () => {
  await expect(runRequest(Object(countGroups), { path: "/" })).rejects.toThrow(
    '"handler" must be what onRequest made',
  );
  await expect(runSchedule(Object(notify))).rejects.toThrow('"handler" must be what onSchedule made');
});
