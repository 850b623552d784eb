/** What a view shows and may have changed: who shows it asks anew. */
export type Topic = "calls" | "chat" | "flows" | "journeys" | "log" | "queues" | "reload" | "world";
