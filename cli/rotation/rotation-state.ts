import * as z from "zod/mini";
import { nextStep, overlapsOf } from "../../lib/operate/rotation/next-step.ts";
import { readRotating } from "../../lib/operate/rotation/rotated-things.ts";
import { RotationError } from "../../lib/operate/rotation/rotation-error.ts";
import type { SecretState } from "../../lib/operate/rotation/secret-versions.ts";
import type { Output } from "../output.ts";
import type { OpenRotations } from "./open-rotation.ts";
import { nameThings } from "./report-rotation.ts";

const thingSchema = z.enum(["webhook-password", "api-key"]);
export const rotationStateSchema = z.strictObject({
  app: z.string(),
  currentSince: z.optional(z.string()),
  /** Waits to be put into use. */
  pending: z.optional(z.strictObject({ things: z.array(thingSchema), since: z.optional(z.string()) })),
  /** Replaced and still valid. */
  overlaps: z.array(z.strictObject({ thing: thingSchema, until: z.string(), isOver: z.boolean() })),
  /** Why no rotation can continue. */
  trouble: z.optional(z.string()),
  /** What to type next. */
  next: z.optional(z.string()),
});

type RotationState = z.infer<typeof rotationStateSchema>;

export function readRotationState(opened: OpenRotations, nowMs: number): RotationState {
  const [{ app }] = opened;
  const looked = opened.map(({ state }) => look(state, app, nowMs));
  const pending = opened.flatMap(({ state: { pending, current } }) =>
    pending === undefined || pending.id === current.id ? [] : [pending],
  );
  const sinceMs = opened.flatMap(({ state }) => state.current.createdAtMs ?? []);
  const pendingMs = pending.flatMap(({ createdAtMs }) => createdAtMs ?? []);
  return {
    app,
    ...(sinceMs.length > 0 && { currentSince: iso(Math.max(...sinceMs)) }),
    ...(pending.length > 0 && {
      pending: {
        things: pending.flatMap(({ fields }) => readRotating(fields ?? {})),
        ...(pendingMs.length > 0 && { since: iso(Math.min(...pendingMs)) }),
      },
    }),
    overlaps: opened
      .flatMap(({ state }) => overlapsOf(state.current.fields))
      .map(({ thing, untilMs }) => ({ thing, until: iso(untilMs), isOver: untilMs <= nowMs })),
    ...looked.find(({ next }) => next !== undefined),
    ...looked.find(({ trouble }) => trouble !== undefined),
  };
}

export function printRotationState(
  { app, currentSince, pending, overlaps, trouble, next }: RotationState,
  out: Output,
): void {
  out.line(`App ${app}: credentials in use since ${currentSince ?? "an unknown time"}.`);
  if (pending) {
    out.line(
      `Pending since ${pending.since ?? "an unknown time"}: ${nameThings(pending.things) || "unknown"}.`,
    );
  }
  for (const { thing, until, isOver } of overlaps) {
    out.line(`What ${nameThings([thing])} replaced ${isOver ? "was" : "is"} good until ${until}.`);
  }
  if (trouble !== undefined) out.line(trouble);
  out.line(next === undefined ? "Nothing left to do." : `Next: npx cometchat-functions ${next}`);
}

function look(state: SecretState, app: string, nowMs: number): { trouble?: string; next?: string } {
  try {
    const step = nextStep(state);
    switch (step.step) {
      case "begin":
      case "unlabel":
        return {};
      case "bring-in":
      case "keep-replaced":
        return { next: `rotate ${step.things[0]} --app ${app}` };
      case "overlap":
        return step.untilMs > nowMs ? {} : { next: `rotate finish --app ${app}` };
    }
  } catch (error) {
    if (!(error instanceof RotationError)) throw error;
    return { trouble: `${error.message} ${error.hint}` };
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
