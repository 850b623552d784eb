/** May have changed; its views reload. */
export type Topic = "calls" | "chat" | "flows" | "journeys" | "queues" | "reload" | "world";
