import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {PipelineError} from '../../engine/errors.ts'
import {nearest} from '../../engine/nearest.ts'
import {apisOf} from '../workspace/runs.ts'
import type {World} from './world.ts'

interface Asked {
  name: string
  out: string
  json: boolean
}

/**
 * `ascend-cot api <name>`: what the documentation says about an interface and its replacement, from run `api-index`.
 */
export async function api({name, out, json}: Asked, {terminal}: World): Promise<number> {
  const all = await apisOf(out)
  if (all.length === 0) throw noIndex(out)
  const named = all.filter((entry) => isMeant(entry.name, name))
  const found = named.length > 0 ? named : all.filter((entry) => isMeant(entry.page, name))
  if (found.length === 0) throw unknown(name, all)
  const shown = [...found, ...replacing(found, all)]
  terminal.print(json ? JSON.stringify(shown) : shown.map(described).join('\n\n'))
  return 0
}

/** Replacements of deprecated interfaces and old names, each once. */
function replacing(found: readonly ApiEntry[], all: readonly ApiEntry[]): ApiEntry[] {
  const names = new Set(found.flatMap(({deprecated}) => deprecated?.instead ?? []))
  return all.filter((entry) => !found.includes(entry) && [...names].some((name) => isMeant(entry.name, name)))
}

/**
 * `InitBuffer` means `TPipe::InitBuffer` as well; case is ignored. A page's title means everything that it declares.
 */
function isMeant(name: string, asked: string): boolean {
  const [one, other] = [name.toLowerCase(), asked.toLowerCase().replace(/^ascendc::/, '')]
  return one === other || one.endsWith(`::${other}`)
}

function described(entry: ApiEntry): string {
  const {name, kind, page, product, purpose, prototypes, dtypes, constraints, alignment, pipe, deprecated, origin} =
    entry
  const title = page === name ? '' : `, page "${page}"`
  return [
    `● ${name}  (${kind}${title})`,
    ...(deprecated ? [`  deprecated: ${deprecated.text}`] : []),
    ...(deprecated && deprecated.instead.length > 0 ? [`  instead: ${deprecated.instead.join(', ')}`] : []),
    ...(purpose === '' ? [] : [`  ${purpose}`]),
    ...prototypes.flatMap(({text}) => ['', ...text.split('\n').map((line) => `    ${line}`)]),
    ...section('parameters', entry.parameters.map(parameterLine)),
    ...section(`element types on ${product}`, dtypes.length > 0 ? [dtypes.join(', ')] : []),
    ...section('pipe', pipe === '' ? [] : [pipe]),
    ...section('alignment', alignment.map(alignmentLine)),
    ...section('constraints', constraints),
    ...entry.examples.flatMap(({lead, code, result = ''}) => section('example', [lead, code, result].filter(Boolean))),
    '',
    `  ${origin.repository} ${origin.path} (${origin.revision}, ${origin.licence})`,
  ].join('\n')
}

function parameterLine({names, direction, meaning, choices, structure}: ApiEntry['parameters'][number]): string {
  const owner = structure === '' ? '' : `${structure}.`
  const way = direction === '' ? '' : ` [${direction}]`
  const values = choices.map((choice) => `${choice.name}: ${choice.text}`)
  return `${owner}${names.join(', ')}${way}: ${[...meaning, ...values].join(' ')}`
}

function alignmentLine({bytes, of}: ApiEntry['alignment'][number]): string {
  return `${bytes} bytes${of.length > 0 ? `: ${of.join(', ')}` : ''}`
}

function section(title: string, lines: readonly string[]): string[] {
  const shown = [...new Set(lines)].flatMap((line) => line.split('\n')).map((line) => `    ${line}`.trimEnd())
  return lines.length === 0 ? [] : ['', `  ${title}`, ...shown]
}

function noIndex(out: string): PipelineError {
  return new PipelineError('run-missing', `${out} has no index of interfaces.`, {
    fix: 'Run `ascend-cot run api-index`; add --docs to index your own documentation.',
  })
}

function unknown(name: string, all: readonly ApiEntry[]): PipelineError {
  const names = [...new Set(all.flatMap((entry) => [entry.name, entry.name.split('::').at(-1)!]))]
  const near = nearest(name, names)
  const holding = names.filter((one) => one.toLowerCase().includes(name.toLowerCase())).slice(0, 8)
  const hint = near === undefined ? holding.join(', ') : near
  return new PipelineError('input-missing', `The documentation has no interface ${name}.`, {
    fix: hint === '' ? 'Check the name, or index more documentation.' : `Did you mean ${hint}?`,
  })
}
