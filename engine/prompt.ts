import {existsSync, readFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {PipelineError} from './errors.ts'

let ownFolder: string | undefined

/**
 * Uses the prompts of a folder (an absolute path) instead of ours with the same file name. Call before stages are
 * loaded.
 */
export function usePromptsOf(folder: string): void {
  ownFolder = folder
}

/**
 * A prompt's text, read once from the `.md` file next to its stage, or from the user's folder if it has one of the same
 * name: `loadPrompt(new URL('cot.md', import.meta.url))`.
 * @throws PipelineError `config-invalid` when the user's prompt has other placeholders than ours
 */
export function loadPrompt(file: URL): string {
  const ours = textOf(fileURLToPath(file))
  const own = ownFolder === undefined ? undefined : join(ownFolder, basename(fileURLToPath(file)))
  if (own === undefined || !existsSync(own)) return ours
  const text = textOf(own)
  const [wanted, given] = [ours, text].map((one) => [...new Set(one.match(placeholder) ?? [])].sort().join(' '))
  if (wanted === given) return text
  throw new PipelineError('config-invalid', `${own} has the placeholders ${given || '(none)'}, not ${wanted}.`, {
    fix: 'Use each of these placeholders, and no others.',
  })
}

const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

const placeholder = /\{\{[a-zA-Z]+\}\}/g

/**
 * Fills `{{name}}` placeholders. Values are inserted unchanged and never expanded again, so code that contains `{{` is
 * safe.
 * @throws TypeError when a placeholder has no value or a value has no placeholder: both are bugs, found by the first
 *   test
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
