import type * as z from "zod/mini";
import type { StartableFlow } from "../effects/flow-request.ts";
import { checkFlow } from "./check-flow.ts";
import type { Flow } from "./flow.ts";
import type { FlowEventName } from "./flow-where.ts";

/** A flow, made by `defineFlow`: what a trigger starts with `effects.start`. */
export interface FlowDefinition<in Input = never> extends StartableFlow<Input> {
  readonly waitsFor: readonly FlowEventName[];
  /** Runs it on an input that fits. */
  readonly run: (flow: Flow, input: unknown) => Promise<unknown>;
}

/** The app's flows. */
export type FlowTable = readonly FlowDefinition[];

/** Thrown where a flow is defined with a name that cannot be, or a name is given twice. */
export class FlowNameError extends Error {
  override readonly name = "FlowNameError";
}

/** What a flow takes, and what it may wait for. */
export interface FlowOptions<Schema extends z.ZodMiniType, Waits extends FlowEventName> {
  /** Checks what the flow is started with, also when it goes on. */
  readonly input: Schema;
  /** All events that it waits for, anywhere in it: they are kept while it runs. */
  readonly waitsFor?: readonly Waits[];
}

type Run<Schema extends z.ZodMiniType, Waits extends FlowEventName> = (
  flow: Flow<Waits>,
  input: z.output<Schema>,
) => Promise<unknown>;

/**
 * Declares what takes longer than one event: it may wait for up to a year, and goes on where it was whatever ends in
 * between. Names and order of its steps must stay the same for whatever runs: they are known again by them.
 * @param name small letters, digits and `-`, 30 at most; it must stay, as flows that run are known by it
 * @throws FlowNameError, InvalidInputError for options or a function that are none
 * @example defineFlow("remind", z.object({ uid: z.string() }), async (flow, { uid }) => { await flow.wait({ days: 1 }); … })
 */
export function defineFlow<Schema extends z.ZodMiniType, const Waits extends FlowEventName = never>(
  name: string,
  options: Schema | FlowOptions<Schema, Waits>,
  run: Run<Schema, Waits>,
): FlowDefinition<z.input<Schema>> {
  checkFlow(name, options, run);
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(name)) {
    throw new FlowNameError(
      `"${name}" is no name for a flow: small letters, digits and "-", beginning with a letter, 30 at most.`,
    );
  }
  const { input: schema, waitsFor = [] } = isOptions(options) ? options : { input: options };
  return {
    name,
    waitsFor,
    misfitOf: (input) => {
      const read = schema.safeParse(input);
      if (read.success) return undefined;
      return read.error.issues
        .map(({ path, message }) => `${path.join(".") || "input"}: ${message}`)
        .join("; ");
    },
    run: async (flow, input) => run(flow, schema.parse(input)),
  };
}

/** @throws FlowNameError when two flows have one name */
export function checkFlowNames(flows: FlowTable): void {
  const names = flows.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new FlowNameError(`Two flows are named "${twice}". Rename one of them.`);
}

function isOptions<Schema extends z.ZodMiniType, Waits extends FlowEventName>(
  options: Schema | FlowOptions<Schema, Waits>,
): options is FlowOptions<Schema, Waits> {
  return !("_zod" in options);
}
