import type {Edit} from '../../../cpp/edit.ts'
import {pattern} from '../../../cpp/pattern.ts'
import {hasWord, usesOf} from '../../../cpp/declarations.ts'
import {foundIn, type Found, type Range, type SourceView} from '../../../cpp/source-view.ts'
import {classesOf, methodsOf, type ClassBody, type Definition} from './definitions.ts'
import {
  fileRewrite,
  freeWords,
  indentAt,
  indented,
  isBreak,
  runsOfLines,
  startsLine,
  variableTypes,
  wordsIn,
  type Rewrite,
} from './rewrite.ts'

const setUps = [
  {
    forms: ['', 'const $type $own = $$_; '].flatMap((declared) => [
      `${declared}$_.InitBuffer($$$_);`,
      `${declared}$_->InitBuffer($$$_);`,
    ]),
    names: ['InitBuffers', 'SetUpQueues', 'AllocateBuffers'],
  },
  {forms: ['$_.SetGlobalBuffer($$$_);'], names: ['BindTensors', 'SetGlobalTensors', 'BindGlobals']},
].map(({forms, names}) => ({names, forms: forms.map((form) => pattern(form))}))

/** Lines that set up buffers move to a method of their own. */
const splitMethod = fileRewrite('split-method', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) =>
    random.shuffle(setUps).flatMap(({forms, names}) => {
      const name = random.pick(names)
      const [first] = runsOfLines(source, foundIn(source, ...forms), isBreak).flatMap((run) => {
        const lines = {start: run[0]?.line.start ?? 0, end: (run.at(-1)?.line.end ?? 0) + 1}
        const method = methodsOf(source, body).find(({open, end}) => open < lines.start && lines.end < end)
        return method ? [{lines, run, method}] : []
      })
      return first && !hasWord(source, name) ? movedOut(source, {...first, name}) : []
    }),
  ),
)

interface Moved {
  lines: Range
  run: readonly Found[]
  method: Definition
  name: string
}

const localForms = ['=', '{', ';'].map((mark) => pattern(`$type $name ${mark}`, {type: variableTypes}))

function movedOut(source: SourceView, {lines, run, method, name}: Moved): Edit[] {
  const {text} = source
  const named = new Set(freeWords(source, lines).map((one) => one.text))
  const locals = foundIn(source, ...localForms)
    .filter(({start}) => method.open < start && start < lines.start)
    .map(({hole}) => ({type: hole('type'), name: hole('name')}))
  const given = [...method.parameters, ...locals].filter((one) => named.has(one.name))
  const isTyped =
    given.every(({type}) => type !== 'auto') && new Set(given.map((one) => one.name)).size === given.length
  // What the lines declare may be used after them.
  const isUsedLater = run.some(({hole}) => hasWord(source, hole('own'), {start: lines.end, end: method.end}))
  const words = wordsIn(method.head)
  if (!isTyped || isUsedLater || words.at(-1) !== 'void' || words.includes('template') || words.includes('static'))
    return []
  const indent = indentAt(text, method.start)
  const signature = `${method.head} ${name}(${given.map((one) => `${one.type} ${one.name}`).join(', ')})`
  const call = `${name}(${given.map((one) => one.name).join(', ')});\n`
  const stood = indentAt(text, run[0]?.start ?? 0)
  const body = text.slice(lines.start, lines.end).replaceAll(new RegExp(`^${stood}`, 'gm'), bodyIndent(text, method))
  const moved = `\n\n${indent}${signature}\n${indent}{\n${body}${indent}}`
  return [
    {...lines, text: stood + call},
    {start: method.end, end: method.end, text: moved},
  ]
}

/** What the first line of a method's body begins with. */
function bodyIndent(text: string, {open, end}: Definition): string {
  return indentAt(text, open + 1 + text.slice(open + 1, end).search(/\S/))
}

/** A method that is called in one place is inlined there. */
const mergeMethod = fileRewrite('merge-method', ['op_kernel'], (source, random) => {
  const places = classesOf(source).flatMap((body) =>
    methodsOf(source, body).flatMap((one) => mergeable(source, body, one)),
  )
  return places.length === 0 ? [] : random.pick(places)
})

function mergeable(source: SourceView, body: ClassBody, method: Definition): Edit[][] {
  const {text} = source
  const call = source.calls.find(
    ({name, start}) => name === method.name && (start < method.start || start > method.end),
  )
  const within = call && methodsOf(source, body).find(({open, end}) => open < call.start && call.end < end)
  if (!call?.statement || !within || usesOf(source, method.name).length !== 2 || call.statement.start !== call.start)
    return []
  // Other files may call what is public.
  const labels = foundIn(source, label).filter(({start}) => body.open < start && start < method.start)
  const isPlain = method.head.split(' ').every((word) => ['__aicore__', 'inline', 'void'].includes(word))
  if (labels.at(-1)?.hole('access') !== 'private' || !isPlain || !startsLine(text, call.start)) return []
  if (hasWord(source, 'return', {start: method.open, end: method.end})) return []
  const given = givenTo(
    method,
    call.args.map((one) => one.text),
  )
  if (!given) return []
  const indent = indentAt(text, call.start)
  const lines = text
    .slice(method.open + 1, method.end - 1)
    .replace(/^\n/, '')
    .trimEnd()
  const further = indent.length - indentAt(text, method.end - 1).length
  const moved = further > 0 ? indented(lines, ' '.repeat(further)) : lines
  const block = `{\n${given.map((one) => `${indent}    ${one}\n`).join('')}${moved}\n${indent}}`
  return [
    [
      {start: call.statement.start, end: call.statement.end, text: block},
      {start: method.start, end: nextLine(text, method.end), text: ''},
    ],
  ]
}

const label = pattern('$access:', {access: new Set(['public', 'private', 'protected'])})

/** The parameters as variables; those that are called by their own name need none. */
function givenTo({parameters}: Definition, args: readonly string[]): string[] | undefined {
  if (args.length !== parameters.length) return undefined
  const names = parameters.map(({name}) => name)
  const isTangled = parameters.some(
    ({name}, index) => args[index] !== name && names.some((one) => wordsIn(args[index] ?? '').includes(one)),
  )
  if (isTangled) return undefined
  return parameters.flatMap(({type, name}, index) =>
    args[index] === name ? [] : [`${type} ${name} = ${args[index]};`],
  )
}

/** Behind the blank line that follows a method, with the indentation of what comes next. */
function nextLine(text: string, end: number): number {
  const next = end + text.slice(end).search(/\S|$/)
  return text.slice(end, next).includes('\n') ? next : end
}

export const methodRewrites: readonly Rewrite[] = [splitMethod, mergeMethod]
