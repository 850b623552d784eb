import { type Application, type DocumentReflection, MarkdownEvent } from "typedoc";

const cited = /(?<![\w/"'.])(docs\/(?:internals\/(?:platform\/|decisions\/)?)?[\w-]+)\.md(?:#([\w-]+))?/g;

export function linkPages(app: Application): void {
  app.renderer.on(
    MarkdownEvent.PARSE,
    (event: MarkdownEvent) => {
      const { page } = event;
      const documents = new Map(page.project.documents?.map((document) => [document.name, document]));
      event.parsedText = event.parsedText.replace(cited, (text, path: string, anchor?: string) => {
        const document = documents.get(path);
        if (document === undefined) return text;
        return `<a href="${addressOf(app, page, document)}${anchor === undefined ? "" : `#${anchor}`}">${wordsOf(path, anchor)}</a>`;
      });
    },
    // After the text has become HTML.
    -1_000,
  );
}

function addressOf(app: Application, { model }: MarkdownEvent["page"], to: DocumentReflection): string {
  const { router } = app.renderer;
  if (router === undefined) throw new Error("Links are written while pages are.");
  return router.relativeUrl(model, to);
}

/** Such as `platform: webhooks, time to answer`, and `identity`. */
function wordsOf(path: string, anchor: string | undefined): string {
  const [, folder = "", name = ""] = /^docs\/(?:internals\/)?(?:(\w+)\/)?(.+)$/.exec(path) ?? [];
  const page = `${folder === "" ? "" : `${folder}: `}${name.replaceAll("-", " ")}`;
  return anchor === undefined || anchor === name ? page : `${page}, ${anchor.replaceAll("-", " ")}`;
}
