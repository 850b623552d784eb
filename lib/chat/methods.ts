import { isRecord } from "../base/json.ts";
import { type Answered, chatRequest, noResponse } from "./chat-request.ts";
import { readPlainly } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import { hasKnownField, hasRefusedItem, itemsOf, listIn } from "./judge-answer.ts";
import type { CallOperation, Family, FamilyClient, Operation } from "./operation.ts";
import type { Page } from "./paged.ts";
import { idOf, nextPage, type PageFields, paginate } from "./pagination.ts";
import { type MethodArguments, prepareRequest, readArguments, type SendOptions } from "./prepare-request.ts";
import { readAnswer, readEnvelope, unexpectedShape } from "./read-answer.ts";
import { fieldNamesOf, mapValues, schemaOf } from "./schema.ts";
import { isToSeveral, sendOnce } from "./send-once.ts";
import type { Transport } from "./transport.ts";

export function createMethods<const Families extends Readonly<Record<string, Family>>>(
  transport: Transport,
  families: Families,
): { readonly [Name in keyof Families]: FamilyClient<Families[Name]> };
// The signature above types it; type tests check it.
export function createMethods(transport: Transport, families: Readonly<Record<string, Family>>): object {
  const bind =
    (operation: Operation) =>
    (...args: unknown[]) =>
      invoke(transport, operation, args);
  return readPlainly("a client", "families", () => mapValues(families, (family) => mapValues(family, bind)));
}

export function createCall(transport: Transport): CallOperation;
export function createCall(transport: Transport): object {
  return (operation: Operation, ...args: unknown[]) => invoke(transport, operation, args);
}

function invoke(transport: Transport, operation: Operation, args: readonly unknown[]): unknown {
  if (!readPlainly("an operation", "operation", () => isOperation(operation))) {
    throw new InvalidInputError("an operation", "operation", "one of this package, such as users.get");
  }
  return operation.paged
    ? callForList(transport, operation, args)
    : chatRequest(callForOne(transport, operation, args));
}

export function isOperation(value: unknown): value is Operation {
  return isRecord(value) && [value.id, value.request].every((text) => typeof text === "string");
}

export async function callForOne(
  transport: Transport,
  operation: Operation,
  args: readonly unknown[],
): Promise<Answered<unknown>> {
  const read = readArguments(operation, args);
  const request = prepareRequest(operation, read);
  const send = async (options: SendOptions) => {
    const sent = await transport.send(request, options);
    if (sent.kind === "found") return { data: sent.value, response: noResponse };
    const { data: answered } = readEnvelope(sent.body);
    const data = isToSeveral(read) ? answered : readOne(transport, operation, answered);
    return { data, response: sent.response ?? noResponse };
  };
  return operation.once ? sendOnce({ transport, operation, read, send }) : send(read.options);
}

function readOne(transport: Transport, operation: Operation, data: unknown): unknown {
  try {
    const read = readAnswer(operation, schemaOf(operation.answer), data);
    if (!hasKnownField(operation, data)) throw unexpectedShape(operation);
    return read;
  } catch (error) {
    transport.noteNotAsDocumented(operation.id);
    if (operation.takesAnyForm && !hasRefusedItem(data)) return data;
    throw error;
  }
}

/** Checks at once, so that the error points to the call. */
export function callForList(transport: Transport, operation: Operation, args: readonly unknown[]) {
  const read = readArguments(operation, args);
  prepareRequest(operation, read);
  return paginate(
    operation.id,
    (fields) => fetchPage(transport, operation, read, fields),
    (limit) => smallerPage(operation, read.input, limit),
    () => orderOf(operation, read.input),
  );
}

function orderOf(
  { id, growingIds }: Operation,
  input: unknown,
): <Item>(items: readonly Item[]) => readonly Item[] {
  if (!isBackwards(input)) return (items) => items;
  if (!growingIds) {
    const rule = "append, or read one page with page(): how this list continues backwards is not documented";
    throw new InvalidInputError(id, "affix", rule);
  }
  if (isRecord(input) && typeof input.sentAt === "number") {
    const rule = "a range such as { to } in a list read backwards, whose further pages go by id";
    throw new InvalidInputError(id, "sentAt", rule);
  }
  return newestFirst;
}

function isBackwards(input: unknown) {
  return isRecord(input) && input.affix === "prepend";
}

/** Sorts, as the order within the platform's pages is not documented. */
function newestFirst<Item>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => Number(idOf(other)) - Number(idOf(one)));
}

/** @see docs/internals/platform/answers-and-errors.md#lists-by-page */
const usualPageSize = 100;
/** Some versions refuse a greater limit (docs/internals/platform/ai-agents.md#envelopes-and-lists). */
const usualPageSizeByCreation = 10;

/** Empty if the input names a page. */
function smallerPage(operation: Operation, input: unknown, limit: number): PageFields {
  const given = isRecord(input) ? input : {};
  const name = operation.paged === "page" ? "perPage" : "limit";
  const known = operation.input ? fieldNamesOf(schemaOf(operation.input)) : [];
  const isByCreation = operation.paged === "cursor" && known.includes("createdAt");
  const usual = isByCreation ? usualPageSizeByCreation : usualPageSize;
  const size = typeof given[name] === "number" ? given[name] : usual;
  return known.includes(name) && limit < size && given.page === undefined ? { [name]: limit } : {};
}

async function fetchPage(
  transport: Transport,
  operation: Operation,
  read: MethodArguments,
  fields: Readonly<Record<string, unknown>>,
): Promise<Page<unknown>> {
  const sent = await transport.send(prepareRequest(operation, read, fields), read.options);
  const { data, meta: given } = readEnvelope(sent.kind === "answer" ? sent.body : undefined);
  const { list, around } = listIn(operation.items, data);
  const raw = itemsOf(list);
  const meta = { ...around, ...given };
  const items = raw.map((item) => readAnswer(operation, schemaOf(operation.answer), item));
  const asked = { ...(isRecord(read.input) ? read.input : {}), ...fields };
  // Continues before the oldest one, whatever the cursor's direction.
  const oldest =
    operation.growingIds && isBackwards(asked)
      ? { next: { affix: "prepend", id: idOf(newestFirst(items).at(-1)) } }
      : {};
  return {
    items,
    meta,
    response: (sent.kind === "answer" && sent.response) || noResponse,
    next: nextPage(operation.paged ?? "once", asked, {
      meta: { ...meta, ...oldest },
      count: raw.length,
      cursor: operation.cursor,
    }),
  };
}
