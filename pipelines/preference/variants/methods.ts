import type {Edit} from '../../../cpp/edit.ts'
import type {SourceView} from '../mutations/source.ts'
import {classesOf, methodsOf, type ClassBody, type Definition} from './definitions.ts'
import {fileRewrite, indentAt, indented, startsLine, wordPattern, type Rewrite} from './rewrite.ts'

const setUps = [
  {
    form: /(?:^[ \t]+(?:const u?int\d+_t \w+ = [^;\n]*;\n[ \t]+)?\w+(?:\.|->)InitBuffer\([^;\n]*\);\n){2,}/gm,
    names: ['InitBuffers', 'SetUpQueues', 'AllocateBuffers'],
  },
  {
    form: /(?:^[ \t]+\w+\.SetGlobalBuffer\([^;\n]*\);\n){2,}/gm,
    names: ['BindTensors', 'SetGlobalTensors', 'BindGlobals'],
  },
]

/** Lines that set up buffers move to a method of their own. */
const splitMethod = fileRewrite('split-method', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) =>
    random.shuffle(setUps).flatMap(({form, names}) => {
      const name = random.pick(names)
      const [first] = [...source.code.matchAll(form)].flatMap(({0: lines, index}) => {
        const method = methodsOf(source, body).find(({open, end}) => open < index && index + lines.length < end)
        return method ? [{start: index, end: index + lines.length, method}] : []
      })
      return first && !wordPattern(name).test(source.code) ? movedOut(source, {...first, name}) : []
    }),
  ),
)

interface Lines {
  start: number
  end: number
  method: Definition
  name: string
}

function movedOut(source: SourceView, {start, end, method, name}: Lines): Edit[] {
  const lines = source.code.slice(start, end)
  const [indent, before] = [indentAt(source.text, method.start), source.code.slice(method.open, start)]
  const isNamed = (one: string) => new RegExp(String.raw`(?<![.\w]|->)${one}\b`).test(lines)
  const locals = [...before.matchAll(/\b(u?int\d+_t|float|auto) (\w+)\s*[={;]/g)].map(([, type = '', local = '']) => ({
    type,
    name: local,
  }))
  const given = [...method.parameters, ...locals].filter((one) => isNamed(one.name))
  const isTyped =
    given.every(({type}) => type !== 'auto') && new Set(given.map((one) => one.name)).size === given.length
  // What the lines declare may be used after them.
  const declared = [...lines.matchAll(/\b\w+_t (\w+) =/g)].map(([, own = '']) => own)
  const isUsedLater = declared.some((one) => wordPattern(one).test(source.code.slice(end, method.end)))
  if (!isTyped || isUsedLater || !/\bvoid$/.test(method.head) || /\btemplate\b|\bstatic\b/.test(method.head)) return []
  const signature = `${method.head} ${name}(${given.map((one) => `${one.type} ${one.name}`).join(', ')})`
  const text = `\n\n${indent}${signature}\n${indent}{\n${source.text.slice(start, end)}${indent}}`
  return [
    {
      start,
      end,
      text: `${indentAt(source.text, firstCode(lines, start))}${name}(${given.map((one) => one.name).join(', ')});\n`,
    },
    {start: method.end, end: method.end, text},
  ]
}

function firstCode(lines: string, start: number): number {
  return start + lines.search(/\S/)
}

/** A method that is called in one place stands there instead. */
const mergeMethod = fileRewrite('merge-method', ['op_kernel'], (source, random) => {
  const places = classesOf(source).flatMap((body) =>
    methodsOf(source, body).flatMap((one) => mergeable(source, body, one)),
  )
  return places.length === 0 ? [] : random.pick(places)
})

function mergeable(source: SourceView, body: ClassBody, method: Definition): Edit[][] {
  const {code, text} = source
  const uses = [...code.matchAll(new RegExp(String.raw`\b${method.name}\b`, 'g'))]
  const call = source.calls.find(
    ({name, start}) => name === method.name && (start < method.start || start > method.end),
  )
  const within = call && methodsOf(source, body).find(({open, end}) => open < call.start && call.end < end)
  if (!call?.statement || !within || uses.length !== 2 || call.statement.start !== call.start) return []
  const inner = code.slice(method.open + 1, method.end - 1)
  // Other files may call what is public.
  const access = [...code.slice(body.open, method.start).matchAll(/\b(public|private|protected):/g)].at(-1)?.[1]
  if (access !== 'private') return []
  const isPlain = /^(?:__aicore__ )?(?:inline )?(?:__aicore__ )?void$/.test(
    method.head.replace(/^(?:\/\/[^\n]*\s*)*/, ''),
  )
  if (!isPlain || /\breturn\b/.test(inner) || !startsLine(text, call.start)) return []
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

/** The parameters as variables; those that are called by their own name need none. */
function givenTo({parameters}: Definition, args: readonly string[]): string[] | undefined {
  if (args.length !== parameters.length) return undefined
  const names = parameters.map(({name}) => name)
  const isTangled = parameters.some(
    ({name}, index) => args[index] !== name && names.some((one) => wordPattern(one).test(args[index] ?? '')),
  )
  if (isTangled) return undefined
  return parameters.flatMap(({type, name}, index) =>
    args[index] === name ? [] : [`${type} ${name} = ${args[index]};`],
  )
}

/** Behind the blank line that follows a method, with the indentation of what comes next. */
function nextLine(text: string, end: number): number {
  return end + (/^[ \t]*\n(?:[ \t]*\n)*[ \t]*/.exec(text.slice(end, end + 200))?.[0].length ?? 0)
}

export const methodRewrites: readonly Rewrite[] = [splitMethod, mergeMethod]
