import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { callApp } from "../helpers/call-app.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

describe("app as code", () => {
  const project = useChat();

  beforeEach(() => world.reset());

  const file = (name: string) => join(project.folder, name);
  const declare = (name: string, text: string) => writeFileSync(file(`config/app/${name}.yml`), text);

  it("exports what is there; a plan then has nothing to do, and a second export writes nothing", async () => {
    const first = await chat("app export --local --yes --json");
    const bytes = readFileSync(file("config/app/webhooks.yml"), "utf8");
    const plan = await chat("app apply --dry-run --local --check");
    const second = await chat("app export --local --yes --json");

    expect(first.exitCode).toBe(0);
    expect(bytes).toContain("triggers:");
    expect([plan.stderr, plan.exitCode]).toEqual([expect.any(String), 0]);
    expect(plan.stdout).toContain("Unknown, because");
    expect(JSON.stringify(second.json)).not.toContain('"written"');
    expect(readFileSync(file("config/app/webhooks.yml"), "utf8")).toBe(bytes);
  });

  it("plans, applies what was planned, and has nothing left to do", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent, restricted: [createGroup] }]\n");

    const planned = await chat("app apply --dry-run --local --check --out plan.json --only roles");
    const applied = await chat("app apply plan.json --local --yes --json");
    const again = await chat("app apply --dry-run --local --check --only roles");

    expectEnd(planned, 1, "+  role agent");
    expect(applied).toMatchObject({ exitCode: 0 });
    expect(applied.json).toMatchObject([
      {
        apps: [
          { appId: "local-app", outcomes: [{ id: "agent", outcome: "created" }, { outcome: "created" }] },
        ],
      },
    ]);
    expect(again.exitCode).toBe(0);
  });

  it("makes a bot whose messages this deployment accepts, and prints no password", async () => {
    declare("bots", "bots: [{ uid: robot, name: Robot }]\n");

    const applied = await chat("app apply --local --yes --only bots --json");
    const exported = await chat("app export --local --yes --only bots");
    const bytes = readFileSync(file("config/app/bots.yml"), "utf8");
    await callApp(world, "POST /messages", { receiver: "robot", receiverType: "user", data: { text: "hi" } });

    await vi.waitFor(() => {
      const calls = world.platform.deliveries().filter(({ webhookId }) => webhookId === "robot");
      expect(calls).toMatchObject([{ trigger: "after_message", attempts: [{ status: 200 }] }]);
    });
    const { data } = await callApp(world, "GET /bots/robot");
    const { password } = z.object({ password: z.string() }).parse(data);
    expect(applied.json).toMatchObject([{ apps: [{ outcomes: [{ id: "robot", outcome: "created" }] }] }]);
    expect([applied, exported].map(({ stdout, stderr }) => stdout + stderr).join() + bytes).not.toContain(
      password,
    );
    expect(bytes).toContain("uid: robot");
  });

  it("refuses a plan whose app has changed since", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");
    await chat("app apply --dry-run --local --out plan.json --only roles");
    await callApp(world, "POST /roles", { role: "intruder", name: "Intruder" });

    expectEnd(await chat("app apply plan.json --local --yes"), 3, "have changed since the plan was made");
    expect(await roles()).toEqual(["default", "intruder"]);
  });

  it("asks before it changes something, and changes nothing where nobody answers", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");

    const nobody = await chat("app apply --local --only roles");
    const no = await chat("app apply --local --only roles", { answers: [false] });

    expect([nobody.exitCode, no.exitCode]).toEqual([3, 3]);
    expect(await roles()).toEqual(["default"]);
  });

  it("says where a plan cannot be written, and writes none in place of a folder", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");

    for (const out of ["nowhere/plan.json", "config"]) {
      const { exitCode, json } = await chat([
        "app apply --dry-run --local --only roles --out",
        out,
        "--json",
      ]);

      expect([out, exitCode]).toEqual([out, 2]);
      expect(json).toMatchObject([
        { error: { code: "WRONG_USE", message: expect.stringContaining("plan") } },
      ]);
    }
  });

  it("takes no plan that is about no app for one about all", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");
    await chat("app apply --dry-run --local --out plan.json --only roles");
    const plan = JSON.parse(readFileSync(file("plan.json"), "utf8"));
    writeFileSync(file("plan.json"), JSON.stringify({ ...plan, apps: [] }));

    expectEnd(await chat("app apply plan.json --local --yes --json"), 2);
    expect(await roles()).toEqual(["default"]);
  });

  async function roles() {
    const { data } = await callApp(world, "GET /roles");
    return Object(data).map(({ role }: { role: string }) => role);
  }
});
