export function Tabs({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly title: string; readonly href: string }[];
  readonly current: string;
}) {
  return (
    <nav class="world-tabs" aria-label={label}>
      {tabs.map(({ name, title, href }) => (
        <a key={name} href={href} aria-current={name === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
