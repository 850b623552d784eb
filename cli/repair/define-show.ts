import * as z from "zod/mini";
import { CliError } from "../cli-error.ts";
import { type Command, defineCommand } from "../command.ts";
import { argument, flag } from "../options.ts";
import { shellText } from "../shell-text.ts";
import { lookingThrough, openOperator } from "./open-operator.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";
import { messageSchema, toShownMessage } from "./shown-message.ts";

const resultSchema = z.strictObject({
  message: messageSchema,
  /** Only with `--with-content`. */
  content: z.optional(z.string()),
});

export function defineShow(kind: SetAsideKind): Command {
  const { name, one } = kind;
  return defineCommand({
    name: `${name} show`,
    summary: `show one ${one}: its event, and the cause`,
    description: "Shows users' text only with --with-content.",
    examples: [
      [`${name} show 6f1c9a… --stage prod`, "show everything except the content"],
      [`${name} show 6f1c9a… --stage prod --with-content`, "also show what the platform sent"],
    ],
    arguments: { id: argument(`the id that \`${name} list\` shows`) },
    options: { withContent: flag("show what the platform sent, which may hold users' text") },
    json: resultSchema,
    run: async ({ target, args, options, out, edges }) => {
      const services = await openOperator({ target, edges, out });
      const shown = await kind.show(args.id, services, lookingThrough(edges.signal, out));
      if (shown === undefined) throw notFound(kind, args.id);
      return {
        message: toShownMessage(shown.message),
        ...(options.withContent && { content: shown.content }),
      };
    },
    print: ({ message, content }, out) => {
      for (const [field, value] of Object.entries(message)) {
        const text = Array.isArray(value) ? value.join(", ") : String(value);
        if (value !== undefined && text !== "") out.line(`${field.padEnd(12)} ${text}`);
      }
      if (content !== undefined) out.line(`\n${content}`);
      if (message.deliveryKey !== undefined) {
        out.note(`Its way: npx cometchat-functions trace ${shellText(message.deliveryKey)}`);
      }
    },
  });
}

export function notFound({ name, one }: Pick<SetAsideKind, "name" | "one">, id: string): CliError {
  return new CliError(
    "notThere",
    "NOT_FOUND",
    `There is no ${one} with the id ${id}, or another process has received it.`,
    `List them: npx cometchat-functions ${name} list`,
  );
}
