export type Topic = "calls" | "chat" | "flows" | "journeys" | "log" | "queues" | "reload" | "stack";
