import type { Sample, World } from "./prepare.ts";

export const apiTool = {
  slug: "order_status",
  name: "Order status",
  description: "Tells where an order is",
  endpoint: "https://shop.example.com/orders",
  method: "GET",
  enableBasicAuth: false,
  headers: '{"x-user":"@var-auth:sender.uid"}',
  bodyTemplate: '{"order":"{{orderId}}"}',
  parameters: [{ key: "orderId", type: "string", description: "The order's number", required: true }],
} as const;
export const action = {
  name: "Open order",
  description: "Shows an order",
  triggerFunction: "openOrder",
  parameters: [{ key: "orderId", type: "string", description: "The order's number", required: true }],
};
export const mcpServer = { slug: "weather", name: "Weather", url: "https://mcp.example.com/sse" };
export const byoAgent = {
  name: "Mine",
  icon: "https://example.com/icon.png",
  integrateWith: "ag-ui",
  integrationType: "agent",
  integrationMeta: { baseUrl: "https://agents.example.com/run", headers: { authorization: "Bearer x" } },
} as const;
export const byoTool = {
  name: "get_weather",
  displayName: "Weather",
  executionText: "Looking at the sky",
  description: "Tells the weather",
  doNotExecute: false,
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "Where" } },
    required: ["city"],
  },
} as const;

export async function newAgent({ chat }: World): Promise<Sample> {
  const { uid } = await chat.agents.create({ name: "Support", instruction: "Ask @var-auth:sender.uid" });
  return { path: { uid } };
}

export async function newApiTool({ chat }: World): Promise<Sample> {
  const { slug } = await chat.agentApiTools.create({ ...apiTool, parameters: [...apiTool.parameters] });
  return { path: { slug } };
}

export async function newAction({ chat }: World): Promise<Sample> {
  const { _id } = await chat.agentActions.create(action);
  return { path: { id: _id } };
}

export async function newMcpServer({ chat }: World): Promise<Sample> {
  const { slug } = await chat.agentMcpServers.create(mcpServer);
  return { path: { slug } };
}

export async function newVariable({ chat }: World): Promise<Sample> {
  const { _id } = await chat.agentVariables.create({
    name: "plan",
    sourceType: "constant",
    constantValue: "free",
  });
  return { path: { variableId: _id } };
}

export async function newByoAgent({ chat }: World): Promise<Sample> {
  const { uid } = await chat.byoAgents.create(byoAgent);
  return { path: { uid } };
}

export async function newByoTool({ chat }: World): Promise<Sample> {
  const { name } = await chat.byoTools.create({
    ...byoTool,
    parameters: { ...byoTool.parameters, required: ["city"] },
  });
  return { path: { name } };
}

/** An agent with all possible parts. */
export async function equippedAgent(world: World): Promise<Sample> {
  const { chat } = world;
  const { path = {} } = await newAgent(world);
  const uid = path.uid ?? "";
  await newApiTool(world);
  await newAction(world);
  await newMcpServer(world);
  await chat.agentTools.add(uid, { tools: ["gmail"] });
  await chat.agentTools.enableActions(uid, "gmail", { actions: ["GMAIL_SEND_EMAIL"] });
  await chat.agentApiTools.addTo(uid, { apiTools: [apiTool.slug] });
  await chat.agentActions.addTo(uid, { frontendActions: [action.triggerFunction] });
  await chat.agentMcpServers.addTo(uid, { mcps: [mcpServer.slug] });
  return { path: { uid, slug: "gmail" } };
}

/** An agent, and a part to add to it. */
export const agentBeside = (prepare: (world: World) => Promise<Sample>) => async (world: World) => {
  await prepare(world);
  return await newAgent(world);
};

export async function newText({ chat }: World): Promise<Sample> {
  const { uniqueId } = await chat.agentTexts.create({ title: "Company Policy", text: "Within 30 days." });
  return { path: { uniqueId, sourceType: "text" }, input: { uniqueId: [uniqueId] } };
}

export async function agentWithText(world: World): Promise<Sample> {
  const { path = {} } = await newText(world);
  const { path: agent = {} } = await newAgent(world);
  const uniqueIds = [path.uniqueId ?? ""];
  await world.chat.agentKnowledge.addTo(agent.uid ?? "", "text", { uniqueIds });
  return { path: { ...path, ...agent }, input: { uniqueIds } };
}

/** An announced file that was uploaded. */
export async function newUpload({ chat }: World): Promise<Sample> {
  const files = [{ fileName: "a.txt", mimeType: "text/plain", fileSize: 5 }];
  const { uploads } = await chat.agentKnowledge.startUploads({ files });
  const [{ uploadId = "", presignedUrl = "" } = {}] = uploads;
  await fetch(presignedUrl, { method: "PUT", body: "hello" });
  return { path: { uniqueId: uploadId, sourceType: "uploads" } };
}

export async function newWebsite({ chat }: World): Promise<Sample> {
  const { crawlId } = await chat.agentWebsites.scrape({ url: "https://docs.example.com" });
  return { path: { parentUniqueId: crawlId, uniqueId: crawlId } };
}

/** All of its pages are being processed. */
export async function processedWebsite(world: World): Promise<Sample> {
  const sample = await newWebsite(world);
  const crawlId = sample.path?.parentUniqueId ?? "";
  await world.chat.agentWebsites.process(crawlId, { exclude: [] });
  const { items } = await world.chat.agentWebsites.listUrls(crawlId).page();
  const ids = items.map(({ urlId }) => urlId);
  return { ...sample, input: { uniqueId: ids, uniqueIds: ids } };
}
