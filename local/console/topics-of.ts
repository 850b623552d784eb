import type { WorldNews } from "../stack/world-news.ts";
import type { Topic } from "./api/notices.ts";

export function topicsOf(news: WorldNews): readonly Topic[] {
  switch (news.kind) {
    case "clock":
      return ["world", "flows", "queues"];
    case "faults":
      return ["world"];
    case "batch":
      return ["journeys", "queues"];
    case "flow":
      return ["flows"];
    case "line":
      return ["journeys"];
    case "exchange":
      return ["journeys"];
    case "sent":
      return ["journeys", "queues"];
    case "invocation":
      return ["flows", "queues"];
    case "reload":
      return ["reload"];
    case "record":
      return topicsOfRecord(news.record);
  }
}

function topicsOfRecord(record: Extract<WorldNews, { kind: "record" }>["record"]): readonly Topic[] {
  switch (record.type) {
    case "request":
      return record.method === "GET" ? ["calls"] : ["calls", "chat", "world"];
    case "message":
      return ["chat"];
    case "event":
      // Joining, receipts, presence and calls appear only as events: clients make no requests for them.
      return ["chat", "journeys"];
    case "delivery.queued":
    case "delivery.attempt":
      return ["journeys"];
    case "callback":
      return ["calls"];
    case "fault":
      return ["world"];
    case "state":
      return ["calls", "chat", "flows", "journeys", "queues", "world"];
  }
}
