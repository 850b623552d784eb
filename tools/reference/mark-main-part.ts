import { type Application, type PageEvent, Renderer } from "typedoc";

/** For screen readers. */
export function markMainPart(app: Application): void {
  app.renderer.on(Renderer.EVENT_END_PAGE, (page: PageEvent) => {
    if (page.contents === undefined) return;
    page.contents = page.contents.replace(
      '<div class="col-content">',
      '<div class="col-content" role="main">',
    );
  });
}
