import { Hono } from "hono";
import { expect, it } from "vitest";
import { jsonRoutes } from "../../../local/console/console-context.ts";

it("answers without secrets, unless a handler builds the response itself", async () => {
  const app = new Hono();
  const on = jsonRoutes(app, (answer) =>
    JSON.parse(JSON.stringify(answer).replaceAll("s3cr3t", "[redacted]")),
  );
  on.get("/values/:id", (context) => ({ id: context.req.param("id"), value: "s3cr3t" }));
  on.post("/values", async (context) => context.json({ value: "s3cr3t" }));

  const asked = await app.request("/values/7");
  const made = await app.request("/values", { method: "POST" });

  expect([await asked.json(), await made.json()]).toEqual([
    { id: "7", value: "[redacted]" },
    { value: "s3cr3t" },
  ]);
});
