export type Topic = "calls" | "chat" | "flows" | "journeys" | "log" | "queues" | "reload" | "world";
