import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {fileName} from '../../datasets/card/card-sections.ts'
import {licences} from '../../datasets/gates/licences.ts'
import type {PublicVerdict} from '../../datasets/schema/public-verdict.ts'
import {authorOf} from '../../eval/agreement/verdict-finding.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {renderPrompt} from '../../engine/prompt.ts'
import type {Config} from './config.ts'
import type {DrawnCandidate} from './draw-candidates.ts'
import {licenceTexts} from './licence-texts.ts'

const judge = readFileSync(new URL('drawn-judge.py', import.meta.url), 'utf8')
const readme = readFileSync(new URL('drawn-readme.md', import.meta.url), 'utf8')

interface Written {
  folder: string
  /** What was found here, beside the folder: who judges elsewhere does not see it. */
  verdicts: string
}

/**
 * Writes a folder that can be sent to someone with another executor: candidates, a manifest, a script that has them
 * judged, licences, instructions. Nothing in it tells what was found of a candidate, or who wrote it.
 * @throws PipelineError `config-invalid` if the folder is not empty
 */
export async function writeDrawnSet(
  config: Config,
  to: string,
  {drawn, leftOut}: {drawn: readonly DrawnCandidate[]; leftOut: Readonly<Record<string, number>>},
): Promise<Written> {
  const folder = resolve(to)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new PipelineError('config-invalid', `${folder} is not empty.`, {
      fix: 'Name another folder with --to, or remove this one.',
      evidence: {folder},
    })
  }
  const files = new Map([
    ['candidates.jsonl', linesOf(drawn.map(lineOf))],
    ['judge.py', judge],
    ['README.md', instructions(config, drawn)],
    ...(await licenceFiles(config, drawn)),
  ])
  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, sha256(text)]))
  const manifest = {seed: config.seed, candidates: drawn.map(described), leftOut, files: hashes}
  files.set('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  for (const [path, text] of files) await writeWhole(join(folder, path), text)
  const verdicts = join(dirname(folder), `${basename(folder)}-verdicts.jsonl`)
  await writeWhole(verdicts, linesOf(drawn.map(verdictOf)))
  return {folder, verdicts}
}

const linesOf = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What is judged, and by which calls. */
function lineOf({task, sources, candidate: {task: asked, files}}: DrawnCandidate): object {
  const {name, description, cases} = asked
  return {task, sources, operator: name, description, cases, files}
}

function described({task, sources, candidate: {task: asked, files}}: DrawnCandidate): object {
  const hashed = files.map(({path, text}) => ({path, sha256: sha256(text)}))
  return {task, sources, operator: asked.name, source: asked.origin, licence: asked.origin.licence, files: hashed}
}

function verdictOf({task, sources, kind, candidate}: DrawnCandidate): PublicVerdict {
  const {verdict, sampler} = candidate
  return {task, operator: candidate.task.name, sources, verdict, author: `${kind}, ${authorOf(sampler)}`}
}

const licencesOf = (drawn: readonly DrawnCandidate[]) => [
  ...new Set(drawn.map(({candidate}) => candidate.task.origin.licence)),
]

async function licenceFiles(config: Config, drawn: readonly DrawnCandidate[]): Promise<[string, string][]> {
  const texts = await licenceTexts(config)
  return licencesOf(drawn).flatMap((id): [string, string][] => {
    const text = texts[id]
    return text === undefined ? [] : [[`LICENSES/${fileName(id)}`, text]]
  })
}

function instructions(config: Config, drawn: readonly DrawnCandidate[]): string {
  const rows = licencesOf(drawn).map((id) => {
    const count = drawn.filter(({candidate}) => candidate.task.origin.licence === id).length
    const {name = id, duties = '', url = ''} = licences[id] ?? {}
    return `| ${name} | ${count} | ${duties} | ${url} |`
  })
  return renderPrompt(readme, {count: String(drawn.length), seed: config.seed, licences: rows.join('\n')})
}
