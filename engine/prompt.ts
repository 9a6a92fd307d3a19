import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

/**
 * A prompt's text, read once from the `.md` file beside its stage: `loadPrompt(new URL('cot.md', import.meta.url))`.
 */
export function loadPrompt(file: URL): string {
  return readFileSync(fileURLToPath(file), 'utf8').replaceAll('\r\n', '\n')
}

/**
 * Fills `{{name}}` placeholders. Values are inserted as they are and never looked at again, so code that contains `{{`
 * is safe.
 * @throws TypeError when a placeholder has no value or a value has no placeholder: both are bugs, found by the first
 * test
 */
export function renderPrompt(template: string, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>()
  const text = template.replace(/\{\{([a-zA-Z]+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`renderPrompt: no value for {{${name}}}`)
    used.add(name)
    return value
  })
  for (const name of Object.keys(values)) {
    if (!used.has(name)) throw new TypeError(`renderPrompt: the template has no {{${name}}}`)
  }
  return text
}
