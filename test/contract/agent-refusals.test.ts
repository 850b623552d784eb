import { describe, expect, it, onTestFinished } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { unlessMissing } from "../../lib/chat/is-code.ts";
import { classifyFailure } from "../../lib/effects/classify-failure.ts";
import { createMemoryPlatform } from "../../local/platform/create-memory-platform.ts";

describe.each(["code", "plain"] as const)(
  "a refusal of the AI Agents API in the form %s",
  (agentErrorForm) => {
    it("is final, not an outage of the chat API", async () => {
      const chat = clientOf(agentErrorForm);
      const { uid } = await chat.agents.create({ name: "Helper", instruction: "Answer." });
      const errors = await Promise.all([
        thrownBy(chat.agents.get("nobody")),
        thrownBy(chat.agentTools.add("nobody", { tools: ["gmail"] })),
        thrownBy(
          chat.agentTools
            .add(uid, { tools: ["gmail"] })
            .then(() => chat.agentTools.add(uid, { tools: ["gmail"] })),
        ),
        thrownBy(chat.agentTexts.delete("none")),
      ]);

      expect(errors.map((error) => classifyFailure(error).kind)).toEqual(errors.map(() => "permanent"));
    });

    it("reports that a tool is missing", async () => {
      expect(
        await unlessMissing("ERR_TOOL_NOT_FOUND", clientOf(agentErrorForm).agentApiTools.get("none")),
      ).toBe(undefined);
    });
  },
);

it("requests at most one full page of tools", async () => {
  const chat = clientOf("code");

  expect(await chat.agentApiTools.list().toArray({ limit: 50 })).toEqual([]);
  expect(await chat.agentMcpServers.list().toArray({ limit: 50 })).toEqual([]);
});

function clientOf(agentErrorForm: "code" | "plain") {
  const platform = createMemoryPlatform({ switches: { agentErrorForm } });
  onTestFinished(() => platform.close());
  const { fullAccessKey: apiKey } = platform.keys;
  return createChatClient({ appId: "local-app", apiKey, fetch: platform.fetch });
}

async function thrownBy(request: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    return error;
  }
}
