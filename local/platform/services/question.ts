import type { JsonObject } from "../json.ts";

/** Asks a customer's server and waits for what it answers, where the answer decides something. */
export type Ask = (question: Question) => Promise<Answer>;

/** One question. `kind` and `target` name it in the records. */
export type Question = {
  appId: string;
  kind: "before_message" | "custom_moderation";
  target: string;
  url: string;
  /** Basic authentication; none when undefined. */
  credentials: { username: string; password: string } | undefined;
  body: JsonObject;
  timeoutMs: number;
};

/** What came back. `json` is undefined unless the answer was 2xx with a JSON object. */
export type Answer = {
  status: number | undefined;
  error: string | undefined;
  isTimeout: boolean;
  text: string;
  json: JsonObject | undefined;
  atMs: number;
};
