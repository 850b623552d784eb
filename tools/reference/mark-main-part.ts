import { type Application, type PageEvent, Renderer } from "typedoc";

/** Says which part of a page is its own, so that who listens to it can skip the rest. */
export function markMainPart(app: Application): void {
  app.renderer.on(Renderer.EVENT_END_PAGE, (page: PageEvent) => {
    if (page.contents === undefined) return;
    page.contents = page.contents.replace(
      '<div class="col-content">',
      '<div class="col-content" role="main">',
    );
  });
}
