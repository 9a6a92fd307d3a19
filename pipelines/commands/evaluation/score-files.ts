import {existsSync} from 'node:fs'
import {readFile, rename} from 'node:fs/promises'
import {join} from 'node:path'
import {canonicalJson} from '../../../engine/ids.ts'
import {writeWhole} from '../../../engine/files.ts'

interface ScoreDocument {
  benchmark: string
  request: {root: string}
  /** Who wrote the candidates. */
  author?: object
  revision: string
  /** Of candidates, judged or not; `judged` of whole models. */
  results?: readonly {outcome: string}[]
  judged?: readonly unknown[]
  scores?: readonly {author: string}[]
}

interface ScoreFiles {
  json: string
  markdown: string
  html: string
  /** Where the earlier scores of this folder are now, if these do not contain them. */
  earlier?: string
}

/**
 * Writes scores in three formats. Scores that are in the folder already are replaced by those of the same request that
 * contain them, as after `resume`; others are kept, as `score-1.json` and so on.
 */
export async function writeScores(
  directory: string,
  document: ScoreDocument,
  {markdown, html}: {markdown: string; html: string},
): Promise<ScoreFiles> {
  const file = (end: string, name = 'score') => join(directory, `${name}.${end}`)
  const files = {json: file('json'), markdown: file('md'), html: file('html')}
  const text = `${JSON.stringify(document, null, 2)}\n`
  const before = await readFile(files.json, 'utf8').catch(() => undefined)
  let earlier: string | undefined
  if (before !== undefined && !contains(JSON.parse(text) as ScoreDocument, before)) {
    let number = 1
    while (existsSync(file('json', `score-${number}`))) number += 1
    earlier = file('json', `score-${number}`)
    for (const end of ['md', 'html', 'json'])
      if (existsSync(file(end))) await rename(file(end), file(end, `score-${number}`))
  }
  await writeWhole(files.json, text)
  await writeWhole(files.markdown, markdown)
  await writeWhole(files.html, html)
  return {...files, ...(earlier !== undefined && {earlier})}
}

/** Lines for the terminal. */
export function placesOf({json, earlier}: ScoreFiles): string[] {
  const kept = earlier === undefined ? [] : [`earlier scores, which these do not contain, are kept in ${earlier}`]
  return [`scores in ${json}, score.md and score.html next to it`, ...kept]
}

function contains(now: ScoreDocument, text: string): boolean {
  const before = scoresIn(text)
  if (before === undefined) return false
  // A folder may be given by several paths; the revision tells checkouts apart.
  const asked = ({benchmark, request: {root: _, ...request}, author, revision}: ScoreDocument) =>
    canonicalJson([benchmark, request, author ?? null, revision])
  const found = ({results = [], judged = [], scores = []}: ScoreDocument) => {
    const verdicts = [...results.filter(({outcome}) => outcome !== 'not-judged'), ...judged]
    return new Set([...verdicts.map(canonicalJson), ...scores.map(({author}) => author)])
  }
  const has = found(now)
  return asked(now) === asked(before) && [...found(before)].every((one) => has.has(one))
}

/** Undefined where the file was changed by hand, or is of a version that wrote no request. */
function scoresIn(text: string): ScoreDocument | undefined {
  try {
    const read = JSON.parse(text) as Partial<ScoreDocument> | null
    return read?.request === undefined ? undefined : (read as ScoreDocument)
  } catch {
    return undefined
  }
}
