/** Markup that is already escaped. Plain strings never are: every template value goes through `escape`. */
export interface Html {
  readonly html: string
}

/** Tagged template: values are escaped, `Html` is kept, lists are joined, false and undefined are dropped. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return {html: parts.reduce((text, part, index) => `${text}${markup(values[index - 1])}${part}`)}
}

function markup(value: unknown): string {
  if (value === undefined || value === null || value === false) return ''
  if (Array.isArray(value)) return value.map(markup).join('')
  if (typeof value === 'object' && 'html' in value) return String(value.html)
  return escape(String(value))
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export function raw(markupText: string): Html {
  return {html: markupText}
}
