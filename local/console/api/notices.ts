/** Data that may have changed. A view that shows it reloads it. */
export type Topic = "calls" | "chat" | "flows" | "journeys" | "log" | "queues" | "reload" | "world";
