import type { JsonObject } from "../json.ts";

/** What a handler answers. `bare` replaces the whole body (no `data` wrapper). */
export type Reply = {
  status: number;
  body: JsonObject;
};

/**
 * Answers 200 with `{data, meta?, cursor?}`.
 * @see docs/platform/answers-and-errors.md#envelope
 */
export function reply(data: unknown, extra: { meta?: JsonObject; cursor?: JsonObject } = {}): Reply {
  return { status: 200, body: { data, ...extra } };
}

/** Answers 200 with `{data: {success: true, message}}`, the form of deletes and acknowledgements. */
export function acknowledge(message: string): Reply {
  return reply({ success: true, message });
}

/** Answers 200 without the `data` wrapper, for the few operations documented so. */
export function bare(body: JsonObject): Reply {
  return { status: 200, body };
}

/**
 * Answers `count=true` with `{data: {count}}`. The shape is not documented
 * (docs/platform/answers-and-errors.md#array-and-range-parameters).
 */
export function countReply(count: number): Reply {
  return reply({ count });
}
