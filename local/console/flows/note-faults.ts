import { isRecord, parseJson } from "../../../lib/base/json.ts";
import type { WorldNews } from "../../stack/world-news.ts";

const kept = 500;

export function noteFlowFaults(world: { subscribe(listener: (news: WorldNews) => void): () => void }): {
  placeOf(flowId: string): string | undefined;
} {
  const places = new Map<string, string>();
  world.subscribe((news) => {
    // Parsing every line as JSON would be slow.
    if (news.kind !== "line" || news.functionKey !== "flows" || !news.line.includes('"stack"')) return;
    const line = parseJson(news.line.slice(news.line.indexOf("{")));
    if (!isRecord(line)) return;
    const { flowId, stack } = line;
    if (typeof flowId !== "string" || typeof stack !== "string") return;
    places.delete(flowId);
    places.set(flowId, stack);
    const [oldest] = places.keys();
    if (places.size > kept && oldest !== undefined) places.delete(oldest);
  });
  return { placeOf: (flowId) => places.get(flowId) };
}
