import * as z from "zod/mini";
import { defineCommand } from "../command.ts";
import { argument, flag } from "../options.ts";
import { lookingThrough, openOperator } from "../repair/open-operator.ts";
import { quarantineOption } from "../repair/selection-options.ts";
import { kindOf } from "../repair/set-aside-kind.ts";
import { messageSchema, notFound, toShownMessage } from "../repair/shown-message.ts";
import { shellText } from "../shell-text.ts";

const resultSchema = z.strictObject({
  message: messageSchema,
  /** Only with `--with-content`. */
  content: z.optional(z.string()),
});

export const command = defineCommand({
  description: "Shows users' text only with --with-content.",
  examples: `
    $ dead-letters show 6f1c9a… --stage prod
        show everything except the content
    $ dead-letters show 6f1c9a… --stage prod --with-content
        also show what the platform sent
  `,
  arguments: { id: argument("the id that `dead-letters list` shows") },
  options: {
    withContent: flag("show what the platform sent, which may hold users' text"),
    ...quarantineOption,
  },
  json: resultSchema,
  run: async ({ target, args, options, out, edges }) => {
    const kind = kindOf(options);
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
