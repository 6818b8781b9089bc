/** Counts in words: the form that a language has for a number, with the number written as the language writes it. */

type Forms = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Makes the function that picks one of a language's forms for a number and puts it in the place of `#`. */
export const pluralFor = (locale: string) => {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count: number, forms: Forms): string =>
    (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}
