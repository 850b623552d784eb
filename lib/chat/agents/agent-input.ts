import * as z from "zod/mini";
import { isRecord, parseJson } from "../../base/json.ts";
import { mapOf, maybe, maybeFlag, maybeNumber, maybeObject, maybeText } from "../answers.ts";
import {
  affix,
  int,
  link,
  list,
  looseObject,
  opt,
  optional,
  type Schema,
  strictObject,
  unixMilliseconds,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** Pages by creation time, newest first; older documentation allows at most 10 per page. */
export const createdAtQuery = () =>
  strictObject(optional({ limit: int(1), affix, createdAt: unixMilliseconds }));

export const cursorQuery = () =>
  optional({
    cursor: word,
    limit: int(1, 100),
    affix,
    startTime: unixMilliseconds,
    endTime: unixMilliseconds,
  });

export const someWords = () => list().check(z.minLength(1));

export const upTo = (max: number) => z.string().check(z.maxLength(max));

export const jsonText = () =>
  z.string().check(z.refine((text) => isRecord(parseJson(text)), "the JSON text of an object"));

export const parameters = () =>
  z.array(strictObject({ key: words(100), type: word, description: word, required: opt(yesNo) }));

export const described = () => optional({ description: word, icon: link });

/** Reads the answer's part of this name, or the answer itself. */
export const partOf = <Output, Input>(name: string, schema: Schema<Output, Input>): Schema<Output, unknown> =>
  z.pipe(
    z.transform((data: unknown) => (isRecord(data) && name in data ? data[name] : data)),
    schema,
  );

/** Unix milliseconds. */
export const times = { createdAt: maybeNumber, updatedAt: maybeNumber };

export const shownTool = () =>
  maybe(looseObject({ name: maybeText, description: maybeText, parameters: maybeObject }));

export const polled = () => strictObject({ uniqueId: someWords });
export const statuses = () => mapOf(z.string());

export const deleted = () =>
  looseObject({
    uniqueId: maybeText,
    uploadId: maybeText,
    fileName: maybeText,
    deletedFromAgents: maybeFlag,
    vectorsDeleted: maybeFlag,
  });
