import {diffArrays} from 'diff'
import {partnersOf} from '../../cpp/brackets.ts'
import type {CodeStatement as Statement, Edit, EditFacts} from '../../datasets/schema/edit-facts.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {spelled} from './bracketed.ts'
import {keyOf, statementsOf} from './code-statements.ts'

interface Run {
  /** Where the run begins in the failed statements. */
  at: number
  removed: Statement[]
  added: Statement[]
}

/** The steps from the first files to the second, in the order of the second; a statement that moves is one step. */
export function editsBetween(failed: readonly SourceFile[], right: readonly SourceFile[]): EditFacts {
  const texts = new Map(failed.map(({path, text}) => [path, text]))
  return right.flatMap(({path, text}) => {
    const before = texts.get(path) ?? ''
    return before === text ? [] : editsIn(path, statementsOf(before), statementsOf(text))
  })
}

function editsIn(path: string, failed: readonly Statement[], right: readonly Statement[]): Edit[] {
  const runs = runsOf(failed, right)
  const moved = takeMoved(path, runs, failed)
  const wrapped = takeWrapped(path, runs, failed)
  const closed = takeClosing(path, runs, failed, right)
  const others = runs.flatMap((run) => editsOf(path, run, failed))
  return [...others, ...moved, ...wrapped, ...closed].sort((a, b) => a.line - b.line)
}

function runsOf(failed: readonly Statement[], right: readonly Statement[]): Run[] {
  const runs: Run[] = []
  let [at, to] = [0, 0]
  let open: Run | undefined
  const steps = diffArrays(
    failed.map(({key}) => key),
    right.map(({key}) => key),
  )
  for (const {added, removed, value} of steps) {
    if (!added && !removed) open = undefined
    else if (!open) runs.push((open = {at, removed: [], added: []}))
    if (added) open?.added.push(...right.slice(to, to + value.length))
    if (removed) open?.removed.push(...failed.slice(at, at + value.length))
    if (!added) at += value.length
    if (!removed) to += value.length
  }
  return runs
}

/**
 * Statements that one run loses and another one gets, taken out of both. A bare brace does not count as a moved
 * statement.
 */
function takeMoved(path: string, runs: readonly Run[], failed: readonly Statement[]): Edit[] {
  const moved: Edit[] = []
  for (const from of runs) {
    for (const statement of [...from.removed]) {
      const to = runs.find((run) => run !== from && run.added.some(({key}) => key === statement.key))
      if (!to || statement.tokens.length < 3) continue
      from.removed.splice(from.removed.indexOf(statement), 1)
      to.added.splice(
        to.added.findIndex(({key}) => key === statement.key),
        1,
      )
      const [start, end] = [failed.indexOf(statement), to.at]
      const isLater = end > start
      const passed = isLater ? failed.slice(start + 1, end) : failed.slice(end, start)
      moved.push({path, line: statement.line, kind: 'moved', statement, to: lineAt(failed, end), isLater, passed})
    }
  }
  return moved
}

/** The head of a block in one run and its `}` in a later one: the statements between them stay. */
function takeWrapped(path: string, runs: readonly Run[], failed: readonly Statement[]): Edit[] {
  return runs.flatMap((run, index): Edit[] => {
    const end = runs.slice(index + 1).find(({removed}) => removed.length === 1 && removed[0]!.text === '}')
    const head = run.removed.at(-1)
    if (!end || !head?.text.endsWith('{') || run.added.length > 0) return []
    const [from, to] = [failed.indexOf(head), failed.indexOf(end.removed[0]!)]
    run.removed.pop()
    end.removed.pop()
    return [{path, line: head.line, kind: 'unwrapped', head, inner: failed.slice(from + 1, to)}]
  })
}

/** A `}` alone that comes: what it closes is the head of the block that stays open. */
function takeClosing(
  path: string,
  runs: readonly Run[],
  failed: readonly Statement[],
  right: readonly Statement[],
): Edit[] {
  return runs.flatMap((run): Edit[] => {
    const [only, ...others] = run.added
    if (run.removed.length > 0 || !only || others.length > 0 || only.text !== '}') return []
    run.added.pop()
    const at = right.indexOf(only)
    const opener = openerOf(right, at)
    return [
      {
        path,
        line: lineAt(failed, run.at),
        kind: 'marks',
        missing: '}',
        surplus: '',
        before: right[at - 1]?.text ?? '',
        opener,
      },
    ]
  })
}

function openerOf(statements: readonly Statement[], close: number): string {
  const braces = statements.map(({text}) => ({text: text === '}' ? text : text.slice(-1)}))
  return statements[partnersOf(braces)[close] ?? -1]?.text ?? ''
}

function lineAt(statements: readonly Statement[], index: number): number {
  return statements[index]?.line ?? (statements.at(-1)?.lastLine ?? 0) + 1
}

function editsOf(path: string, {at, removed, added}: Run, failed: readonly Statement[]): Edit[] {
  if (removed.length === 0 && added.length === 0) return []
  const marks = marksOf(removed, added)
  if (marks) return [{path, kind: 'marks', ...marks}]
  const line = removed[0]?.line ?? lineAt(failed, at)
  if (removed.length === 0) return [{path, line, kind: 'added', statements: added}]
  if (added.length === 0) return [{path, line, kind: 'removed', statements: removed}]
  return paired(path, removed, added)
}

/** Each statement with its counterpart; without one, it was removed or added. */
function paired(path: string, removed: readonly Statement[], added: readonly Statement[]): Edit[] {
  const edits: Edit[] = []
  const left = [...added]
  for (const before of removed) {
    const ranked = left.map((after) => ({after, alike: likeness(before, after)})).sort((a, b) => b.alike - a.alike)
    const [best] = ranked
    const {line} = before
    if (best && (best.alike >= alikeEnough || removed.length === added.length)) {
      const after = removed.length === added.length ? left[0]! : best.after
      left.splice(left.indexOf(after), 1)
      edits.push({path, line, kind: 'replaced', before, after, differs: differenceOf(before, after)})
    } else edits.push({path, line, kind: 'removed', statements: [before]})
  }
  if (left.length > 0) edits.push({path, line: removed[0]!.line, kind: 'added', statements: left})
  return edits
}

/** Where two statements differ: the tokens between what they begin and end with alike. */
export function differenceOf(before: Statement, after: Statement) {
  const [a, b] = [before.tokens, after.tokens]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start]!.text === b[start]!.text) start += 1
  let tail = 0
  while (tail < Math.min(a.length, b.length) - start && a.at(-1 - tail)!.text === b.at(-1 - tail)!.text) tail += 1
  return {start, wrongEnd: a.length - tail, rightEnd: b.length - tail}
}

const alikeEnough = 0.4

/** Share of tokens that both have. */
function likeness(a: Statement, b: Statement): number {
  const rest = b.tokens.map(({text}) => text)
  const shared = a.tokens.filter(({text}) => {
    const found = rest.indexOf(text)
    if (found >= 0) rest.splice(found, 1)
    return found >= 0
  })
  return (2 * shared.length) / (a.tokens.length + b.tokens.length)
}

/** Where the tokens of both sides differ in marks alone. */
function marksOf(removed: readonly Statement[], added: readonly Statement[]) {
  const [before, after] = [removed, added].map((statements) => statements.flatMap(({tokens}) => tokens))
  if (!before || !after || before.length === 0 || after.length === 0) return undefined
  const same = after.findIndex(({text}, index) => text !== before[index]?.text)
  const start = same < 0 ? after.length : same
  let tail = 0
  const most = Math.min(before.length, after.length) - start
  while (tail < most && before.at(-1 - tail)?.text === after.at(-1 - tail)?.text) tail += 1
  const missing = keyOf(after.slice(start, after.length - tail))
  const surplus = keyOf(before.slice(start, before.length - tail))
  if (!/^[;(){},\s]*$/.test(missing + surplus)) return undefined
  const begin = after.findLastIndex(({text}, at) => at < start - 1 && /^[;{}]$/.test(text)) + 1
  const context = spelled(after.slice(Math.max(begin, start - shownTokens), start))
  const line = (before[Math.max(0, start - 1)] ?? before.at(-1)!).line
  return {line, missing, surplus, before: context, opener: ''}
}

const shownTokens = 14
