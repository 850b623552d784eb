import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { createAgentEndpoint } from "../../../lib/endpoints/agents/create-agent-endpoint.ts";
import { onAgentTool } from "../../../lib/endpoints/agents/on-agent-tool.ts";
import { toNodeHandler } from "../../../lib/receive/own-hosts/to-node-handler.ts";
import { startHttpGateway } from "../../../local/cloud/gateway/http-gateway.ts";
import type { AgentSeed, ApiToolSeed } from "../../../local/platform/agents/seed-agent.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { createOwnWorld, invocation } from "../../helpers/own-world.ts";
import { app, dataOf, idle, type Json, sendText, startPlatform } from "../helpers.ts";

const key = "k3y-of-the-agent";
const headers = { "X-API-Key": key };

/** The messages of a conversation with the platform's agent, oldest first. */
async function talk(texts: readonly string[], agent: Partial<AgentSeed>, apiTools: ApiToolSeed[] = []) {
  const agents = [{ uid: "helper-ai", name: "Helper", ...agent }];
  await startPlatform({ seed: { ...defaultSeed, apps: [{ ...app, agents, apiTools }] } });
  for (const text of texts) {
    await sendText(text, "alice", "helper-ai");
    await idle();
  }
  const messages: Json[] = await dataOf("GET /users/helper-ai/messages", "alice");
  return messages.filter(({ category }) => category === "agentic").map(({ data }) => data.text);
}

it("an agent of the emulation calls a tool of onAgentTool with its template's input", async () => {
  const world = createOwnWorld({ secret: { agentKey: key } });
  const parameters = z.object({ uid: z.string(), order: z.int() });
  const tool = onAgentTool("order", parameters, ({ input: { uid, order } }) => ({
    state: `sent to ${uid}`,
    order,
  }));
  const lambda = {
    invoke: async (_key: string, event: string) => ({
      kind: "answered" as const,
      body: JSON.stringify(await tool.on(world.services)(JSON.parse(event), invocation)),
    }),
  };
  const routes = [{ key: "POST /agent-tools/order/{appId}", functionKey: "order" }];
  const gateway = await startHttpGateway({ lambda, routes });
  onTestFinished(() => gateway.close());

  const said = await talk(
    ["Where is my order?"],
    {
      apiTools: ["order"],
      script: [{ calls: [{ tool: "order", with: { order: 7 } }], say: "It is {{result.state}}." }],
    },
    [
      {
        slug: "order",
        endpoint: `${gateway.url}/agent-tools/order/local-app`,
        headers: { ...headers, "content-type": "application/json" },
        bodyTemplate: '{"uid": "{{uid}}", "order": "{{order}}", "idempotencyKey": ""}',
        parameters: [{ key: "order", type: "number" }],
      },
    ],
  );

  expect(said).toContain('{"state":"sent to alice","order":7}');
  expect(said).toContain("It is sent to alice.");
});

it("the emulation calls an agent of createAgentEndpoint with the thread, and stores its stream", async () => {
  const answer = createAgentEndpoint({
    credentials: { key },
    handler: async (run) => {
      const count = await run.useTool("count", {}, () => run.messages.length);
      await run.say("I know ");
      await run.say(`${count} messages: ${run.text}`);
    },
  });
  const server = createServer(toNodeHandler(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;

  const said = await talk(["First", "Second"], { baseUrl: `http://127.0.0.1:${port}/`, headers });

  expect(said.filter((text) => text !== undefined)).toEqual([
    "1",
    "I know 1 messages: First",
    "5",
    "I know 5 messages: Second",
  ]);
});
