import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const themeWords: Readonly<Record<Theme, string>> = {
  auto: "System colours",
  light: "Light",
  dark: "Dark",
};
const storageKey = "fullstop-theme";

/** A browser may forbid storage for a file. The choice then lasts as long as the page. */
function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // The choice lasts as long as the page.
  }
}

/** Light, dark, or as the system has it. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    storeTheme(theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="sr">Colours</span>
      <select
        value={theme}
        onChange={(event) =>
          setTheme(themes.find((one) => one === event.currentTarget.value) ?? "auto")
        }
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeWords[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
