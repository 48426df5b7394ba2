import { entriesOf } from "../entries.ts";
import { chooseLanguage, currentLanguage, LANGUAGES, linkWords } from "./words.ts";

/** The choice of a language, each by its own name. */
export function LanguageChoice() {
  const languages = entriesOf(LANGUAGES);
  if (languages.length < 2) return null;
  return (
    <label class="language">
      <span class="unseen">{linkWords().app.language}</span>
      <select
        value={currentLanguage()}
        onChange={({ currentTarget: { selectedIndex } }) => {
          const [language] = languages[selectedIndex] ?? [];
          if (language) void chooseLanguage(language);
        }}
      >
        {languages.map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
