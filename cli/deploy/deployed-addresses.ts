import { addressesOutput } from "../../build/addresses.ts";
import { wouldLose } from "../stack/changes.ts";
import type { StackState } from "../stack/stack-state.ts";
import { parseTemplate } from "../stack/template.ts";

/** The current one first; "" stands for plain paths. */
export type AddressList = readonly string[];

/** Undefined if nothing is deployed. */
export function deployedAddresses(state: Pick<StackState, "outputs"> | undefined): AddressList | undefined {
  if (state?.outputs.HttpApiUrl === undefined) return undefined;
  return toList(state.outputs[addressesOutput]);
}

/** @throws CliError if a template does not serve the address that the platform's webhooks use */
export function refuseAddressLost(state: StackState | undefined, template: string, isAllowed: boolean): void {
  const current = deployedAddresses(state)?.[0];
  const { Outputs = {} } = parseTemplate(template);
  if (isAllowed || current === undefined) return;
  if (toList(Outputs[addressesOutput]?.Value).includes(current)) return;
  throw wouldLose(
    `The platform's webhooks use the address ${JSON.stringify(current)}, which this package does not serve.`,
    "Take `addresses` of config/stages.yml from your colleagues, or let `npx cometchat-functions setup` restore it; or add --allow-loss.",
  );
}

function toList(joined: unknown = ""): AddressList {
  return String(joined).split(",");
}
