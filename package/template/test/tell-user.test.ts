import { runRequest } from "cometchat-functions/testing";
import { expect, it } from "vitest";
import { handler } from "../functions/own/tell-user.ts";

const options = {
  route: "POST /tell-user/{appId}",
  secrets: { shopUsername: "shop", shopPassword: "a-long-password" },
};
const path = "/tell-user/app-1";
const headers = { authorization: `Basic ${btoa("shop:a-long-password")}` };

it("sends the shop's text to the user", async () => {
  const request = { path, headers, body: { uid: "alice", text: "Your order is on its way." } };

  const { status, sent } = await runRequest(handler, request, options);

  expect(status).toBe(200);
  expect(sent).toMatchObject([{ from: "support", to: "alice", text: "Your order is on its way." }]);
});

it.each([
  ["a stranger", 401, { path, body: { uid: "alice", text: "Hello" } }],
  ["a text of nothing", 400, { path, headers, body: { uid: "alice", text: "" } }],
  ["a user that is not there", 404, { path, headers, body: { uid: "nobody", text: "Hello" } }],
])("refuses %s", async (_what, expected, request) => {
  const { status, sent } = await runRequest(handler, request, options);

  expect([status, sent]).toEqual([expected, []]);
});
