import type * as z from "zod/mini";
import { readSettingOr } from "../base/config.ts";
import { OwnError } from "../base/errors.ts";
import type { StartableFlow } from "../effects/flow-request.ts";
import { checkFlow } from "./check-flow.ts";
import type { Flow, FlowEventName } from "./flow.ts";

/** Made by `defineFlow`, started by a trigger with `effects.start`. */
export interface FlowDefinition<in Input = never> extends StartableFlow<Input> {
  readonly waitsFor: readonly FlowEventName[];
  /** Runs the flow on a valid input. */
  readonly run: (flow: Flow, input: unknown) => Promise<unknown>;
}

/** Flows of an app. */
export type FlowTable = readonly FlowDefinition[];

/** Thrown if a flow's name is invalid or used twice. */
export class FlowNameError extends OwnError {
  override readonly name = "FlowNameError";
}

/** A flow's input, and the events that it may wait for. */
export interface FlowOptions<Schema extends z.ZodMiniType, Waits extends FlowEventName> {
  /** Parses the input, also when the flow resumes. */
  readonly input: Schema;
  /** All events that the flow may wait for; they are stored while it runs. */
  readonly waitsFor?: readonly Waits[];
}

type Run<Schema extends z.ZodMiniType, Waits extends FlowEventName> = (
  flow: Flow<Waits, z.input<Schema>>,
  input: z.output<Schema>,
) => Promise<unknown>;

/**
 * Declares work that takes longer than one event: up to a year, across processes and deployments. Running
 * flows identify steps by name and order: neither may change for them.
 * @param name lower-case letters, digits and `-`, at most 30; must not change
 * @throws FlowNameError, InvalidInputError for invalid options or function
 * @example
 * defineFlow("remind", z.object({ uid: z.string() }), async (flow, { uid }) => { await flow.wait({ days: 1
 * }); … })
 */
export function defineFlow<Schema extends z.ZodMiniType, const Waits extends FlowEventName = never>(
  name: string,
  options: Schema | FlowOptions<Schema, Waits>,
  run: Run<Schema, Waits>,
): FlowDefinition<z.input<Schema>> {
  checkFlow(name, options, run);
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(name)) {
    throw new FlowNameError(
      `"${name}" is not a valid flow name: lower-case letters, digits and "-", beginning with a letter, 30 at most.`,
    );
  }
  const { input: schema, waitsFor = [] } = isOptions(options) ? options : { input: options };
  return {
    name,
    waitsFor,
    misfitOf: (input) => {
      const read = schema.safeParse(input);
      if (read.success) return undefined;
      return read.error.issues.map(({ path, code }) => `${path.join(".") || "input"}: ${code}`).join("; ");
    },
    run: async (flow, input) => run(flow, schema.parse(input)),
  };
}

/** @throws FlowNameError if two flows have one name */
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

/** Returns no flows if `flows: off`. */
export function deployedFlows(flows: FlowTable): FlowTable {
  return readSettingOr("FLOWS", "on") === "off" ? [] : flows;
}
