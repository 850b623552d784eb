import { useEffect, useState } from "preact/hooks";

const themes = ["system", "light", "dark"] as const;
const storageKey = "theme";

export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readTheme());
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    localStorage.setItem(storageKey, theme);
  }, [theme]);
  return (
    <select
      class="theme"
      aria-label="Colours"
      value={theme}
      onChange={({ currentTarget }) => setTheme(toTheme(currentTarget.value))}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function readTheme(): (typeof themes)[number] {
  return toTheme(localStorage.getItem(storageKey));
}

function toTheme(value: string | null): (typeof themes)[number] {
  return themes.find((theme) => theme === value) ?? "system";
}
