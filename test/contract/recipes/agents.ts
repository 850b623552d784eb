import { uploadKnowledge } from "../../../lib/chat/agents/upload-knowledge.ts";
import type { ChatClient } from "../../../lib/chat/client.ts";

export async function knowFile(chat: ChatClient, log: (line: string) => void) {
  // recipe: Give an AI agent a file to know
  const file = new Blob(["We take back everything within 30 days."], { type: "text/plain" });
  const { uid } = await chat.agents.create({ name: "Support", instruction: "Answer in one sentence." });
  const { step, uploadId } = await uploadKnowledge(chat, {
    file,
    fileName: "returns.txt",
    agent: uid,
    onProgress: (state) => log(`${state.uploadId} is ${state.step}`), // store it: `from: state` goes on from there
  });
  if (step === "failed") await chat.agentKnowledge.retry("uploads", uploadId);
  // end
  return step;
}
