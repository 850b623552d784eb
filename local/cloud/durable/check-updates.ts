import type { OperationUpdate } from "./durable-inputs.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import type { Operation } from "./stored-execution.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html, `Payload` and `Error` */
export const maxPayloadBytes = 1024 * 1024;

/**
 * Of one execution. UNVERIFIED: which error AWS answers beyond them.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxOperations = 3_000;
const maxWrittenBytes = 100_000_000;

/**
 * A checkpoint's updates apply together or not at all. Rules that AWS's pages do not state are those of the
 * testing package `@aws/durable-execution-sdk-js-testing`.
 * @throws AwsError at the first update that cannot be applied
 */
export function checkUpdates(
  updates: readonly OperationUpdate[],
  operations: ReadonlyMap<string, Operation>,
): void {
  const isExecution = ({ Type }: OperationUpdate) => Type === "EXECUTION";
  if (updates.filter(isExecution).length > 1) {
    throw invalidDurableCall("Cannot checkpoint multiple EXECUTION updates.");
  }
  if (updates.findIndex(isExecution) > -1 && updates.findIndex(isExecution) < updates.length - 1) {
    throw invalidDurableCall("EXECUTION checkpoint must be the last update.");
  }
  checkOrder(updates, operations);
  checkLimits(updates, operations);
  for (const update of updates) {
    checkSize(update);
    checkTransition(update, operations.get(update.Id));
  }
}

function checkOrder(updates: readonly OperationUpdate[], operations: ReadonlyMap<string, Operation>): void {
  const started = new Map<string, OperationUpdate>();
  const last = new Map<string, OperationUpdate>();
  for (const update of updates) {
    const before = last.get(update.Id);
    const closesWhatItStarts =
      (before?.Type === "STEP" || before?.Type === "CONTEXT") &&
      before.Action === "START" &&
      update.Action !== "START";
    if (before && !closesWhatItStarts) {
      throw invalidDurableCall("Cannot update the same operation twice in a single request.");
    }
    if (update.ParentId !== undefined) {
      const parent = started.get(update.ParentId) ?? operations.get(update.ParentId);
      if (parent?.Type !== "CONTEXT") throw invalidDurableCall("Invalid parent operation id.");
    }
    if (update.Action === "START") started.set(update.Id, update);
    last.set(update.Id, update);
  }
}

/** The end of the execution can always be written. */
function checkLimits(updates: readonly OperationUpdate[], operations: ReadonlyMap<string, Operation>): void {
  const more = updates.filter(({ Type }) => Type !== "EXECUTION");
  const ids = new Set(more.map(({ Id }) => Id).filter((id) => !operations.has(id)));
  if (operations.size + ids.size > maxOperations)
    throw invalidDurableCall(`An execution can have ${maxOperations} operations at most.`);
  let bytes = 0;
  for (const { Payload = "" } of more) bytes += Buffer.byteLength(Payload);
  for (const { StepDetails, ContextDetails } of operations.values())
    bytes += (StepDetails?.Result?.length ?? 0) + (ContextDetails?.Result?.length ?? 0);
  if (more.length > 0 && bytes > maxWrittenBytes)
    throw invalidDurableCall(`An execution can write ${maxWrittenBytes} bytes at most.`);
}

function checkSize({ Type, Payload = "", Error: error }: OperationUpdate): void {
  if (Type !== "EXECUTION" && Buffer.byteLength(Payload) > maxPayloadBytes) {
    throw invalidDurableCall(
      `${Type} output payload size must be less than or equal to ${maxPayloadBytes} bytes.`,
    );
  }
  if (error && Buffer.byteLength(JSON.stringify(error)) > maxPayloadBytes) {
    throw invalidDurableCall(`Error object size must be less than ${maxPayloadBytes} bytes.`);
  }
}

type Action = OperationUpdate["Action"];
type Status = Operation["Status"];

/** `new` is an operation that does not exist yet. */
const allowed: Record<Operation["Type"], Partial<Record<Action, readonly (Status | "new")[]>>> = {
  EXECUTION: { SUCCEED: ["new", "STARTED"], FAIL: ["new", "STARTED"] },
  STEP: {
    START: ["new", "READY"],
    SUCCEED: ["new", "STARTED", "READY"],
    FAIL: ["new", "STARTED", "READY"],
    RETRY: ["new", "STARTED", "READY"],
  },
  WAIT: { START: ["new"], CANCEL: ["STARTED"] },
  CALLBACK: { START: ["new"], CANCEL: ["STARTED"] },
  CONTEXT: { START: ["new"], SUCCEED: ["new", "STARTED"], FAIL: ["new", "STARTED"] },
};

function checkTransition(update: OperationUpdate, operation: Operation | undefined): void {
  const { Type, Action } = update;
  if (Type === "CHAINED_INVOKE") throw invalidDurableCall("CHAINED_INVOKE is not part of the local stack.");
  if (operation && operation.Type !== Type) {
    throw invalidDurableCall(`The operation ${update.Id} is a ${operation.Type}, not a ${Type}.`);
  }
  const states = allowed[Type][Action];
  if (!states) throw invalidDurableCall("Invalid action for the given operation type.");
  if (!states.includes(operation?.Status ?? "new")) {
    throw invalidDurableCall(`Invalid current ${Type} state to ${Action.toLowerCase()}.`);
  }
  if (Action === "FAIL" && update.Payload !== undefined) {
    throw invalidDurableCall("Cannot provide a Payload for FAIL action.");
  }
  if (Action === "SUCCEED" && update.Error !== undefined) {
    throw invalidDurableCall("Cannot provide an Error for SUCCEED action.");
  }
  if (Action === "RETRY") checkRetry(update);
  if (Type === "WAIT" && Action === "START" && update.WaitOptions?.WaitSeconds === undefined) {
    throw invalidDurableCall("Invalid WaitOptions for the given action.");
  }
}

function checkRetry({ StepOptions, Error: error, Payload }: OperationUpdate): void {
  if (StepOptions === undefined) throw invalidDurableCall("Invalid StepOptions for the given action.");
  if (error !== undefined && Payload !== undefined) {
    throw invalidDurableCall("Cannot provide both error and payload to RETRY a STEP.");
  }
}
