import {counted} from '../../engine/counted.ts'
import {join, resolve} from 'node:path'
import {writeAgreement} from '../../eval/agreement/agreement-parquet.ts'
import {compareFindings, differences, type Compared} from '../../eval/agreement/compare-findings.ts'
import {inWords} from '../../eval/agreement/verdict-finding.ts'
import {readFindings, type Findings} from '../../eval/agreement/read-findings.ts'
import {writeWhole} from '../../engine/files.ts'
import {agreementPage, shareText} from '../report/agreement-page.ts'
import {explained, type Terminal} from './terminal.ts'
import {table} from './text-table.ts'
import type {World} from './world.ts'

interface Asked {
  /** A run's name or directory, or a file of verdicts. */
  a: string
  b: string
  out: string
  /** Folder that page and table go to. */
  to: string
  json: boolean
}

/** Broken lines that a terminal names; the page has all. */
const namedLines = 10

const reading = 'reading the verdicts: about a second for 1,000 candidates'

/** `ascend-cot agreement`: where two executors agree about the same candidates, and where they do not. */
export async function compareExecutors({a, b, out, to, json}: Asked, {terminal}: World): Promise<number> {
  const [one, other] = await explained(terminal, reading, Promise.all([readFindings(a, out), readFindings(b, out)]))
  if (one.name === other.name) {
    one.name = a
    other.name = b
  }
  const compared = compareFindings(one.findings, other.findings)
  const files = [join(resolve(to), 'agreement.html'), join(resolve(to), 'agreement.parquet')] as const
  await writeWhole(files[0], agreementPage(one, other, compared))
  await writeAgreement(files[1], compared)
  if (json) terminal.print(JSON.stringify(told(one, other, compared, files)))
  else print(one, other, compared, files, terminal)
  return 0
}

function told(a: Findings, b: Findings, compared: Compared, files: readonly string[]) {
  const {pairs, groups, ...figures} = compared
  const side = ({findings, ...rest}: Findings) => ({...rest, verdicts: findings.length})
  return {
    a: side(a),
    b: side(b),
    matched: pairs.length,
    ...figures,
    disagreements: groups.flatMap((group) =>
      group.pairs.map((pair) => ({
        kind: group.kind,
        task: pair.a.task || pair.b.task,
        sources: pair.a.sources,
        a: inWords(pair.a),
        b: inWords(pair.b),
      })),
    ),
    files,
  }
}

function print(a: Findings, b: Findings, compared: Compared, files: readonly string[], terminal: Terminal): void {
  for (const {name, broken} of [a, b]) {
    for (const {line, reason} of broken.slice(0, namedLines))
      terminal.say(`warning: ${name} line ${line} is omitted: ${visible(reason)}`)
    if (broken.length > namedLines)
      terminal.say(`warning: ${counted(broken.length - namedLines, 'more line')} of ${name} left out: see the page`)
  }
  const {pairs, onlyA, onlyB, ambiguous, confusions, firstErrors, groups} = compared
  terminal.print(`${counted(pairs.length, 'candidate')} judged by both; ${onlyA} by A alone, ${onlyB} by B alone`)
  if (ambiguous > 0) terminal.print(`${counted(ambiguous, 'verdict')} of B left out: their task fits several of A`)
  const rows = confusions.map(({step, both, onlyA, onlyB, neither, untold, agree}) => {
    return [step, both, onlyA, onlyB, neither, untold, shareText(agree)]
  })
  const heads = ['step', 'both pass', 'only A', 'only B', 'neither', 'untold', 'they agree']
  terminal.print(table(heads, rows, terminal.width))
  const {words} = firstErrors
  if (words) terminal.print(`first errors word for word: ${words.part} of ${words.of}, ${shareText(words)}`)
  const counts = differences.map((kind) => {
    const count = groups.filter((group) => group.kind === kind).reduce((sum, group) => sum + group.pairs.length, 0)
    return `${count} ${kind}`
  })
  terminal.print(`disagreements: ${counts.join(', ')}`)
  for (const file of files) terminal.print(file)
}

/** What others wrote may hold what a terminal obeys. */
const visible = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
