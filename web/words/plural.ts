/** A text for each plural form of a language (Unicode CLDR); {count} is the number. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

/** Forms of which a language needs its own ones. */
export function plural(forms: Plural): Plural {
  return forms;
}
