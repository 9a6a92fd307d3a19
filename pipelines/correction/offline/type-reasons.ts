import {failedStatements, type Reason, type Replaced, reasons, type Scene, stretchOf} from './reason.ts'
import {escaped} from './text-relations.ts'

const because = reasons('type-reasons')

/** A variable, a tensor or a queue of another type than its value, its use or its data. */
export function typeReason(edit: Replaced, scene: Scene): Reason | undefined {
  return (
    template(edit, scene) ??
    pointer(edit) ??
    direction(edit) ??
    constant(edit, scene) ??
    element(edit, scene) ??
    throughFloat(edit) ??
    mixedSigns(edit) ??
    variable(edit) ??
    shape(edit)
  )
}

/** `class K {` for `template <typename T> class K {`. */
function template({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  const [, line, names] = /^(template <((?:typename|class) \w+)[^>]*>) /.exec(after.text) ?? []
  if (line === undefined || after.text !== `${line} ${before.text}`) return undefined
  const name = names!.split(' ').at(-1)!
  const use = failedStatements(path, scene).find(
    ({text, line: at}) => at >= before.line && new RegExp(`\\b${name}\\b`).test(text),
  )
  return use && because('template', {head: before.text.replace(/ \{$/, ''), name, line, use: use.line})
}

/** `TBuf<…>* b;` for `TBuf<…> b;`. */
function pointer(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const name = /(\w+)(?:\{[^{}]*\}| = [^;]+)?;$/.exec(edit.after.text)?.[1]
  if (wrong !== '*' || right !== '' || name === undefined || edit.after.text.includes('(')) return undefined
  return because('pointer', {name})
}

/** `TQue<VECOUT>` for a queue that brings data in. */
function direction(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const queue = /^TQue<.*> (\w+)(?:\{.*)?;$/.exec(edit.after.text)?.[1]
  if (queue === undefined || !/^VEC(?:IN|OUT)$/.test(wrong) || !/^VEC(?:IN|OUT)$/.test(right)) return undefined
  return because('direction', {queue, wrong, right}, {why: because.says(`into-${right}`, {})})
}

/** `const auto x = q.DeQue<T>()`, which FreeTensor then takes. */
function constant({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  if (before.text !== `const ${after.text}`) return undefined
  const name = /(\w+)(?:\{.*| = .*)$/.exec(after.text.split(' = ')[0]!.concat(' = '))?.[1]
  if (name === undefined) return undefined
  const changed = new RegExp(`(?:FreeTensor|EnQue)\\(${name}\\)|(?<![\\w.>])${name} [-+*/]?= `)
  const use = failedStatements(path, scene).find(({text, line}) => line > before.line && changed.test(text))
  return use && because('constant', {name, line: use.line, use: use.text})
}

/** The element type of a tensor compared with that of its buffer or queue. */
function element({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  const shape =
    /^(?:const )?(?:LocalTensor<(.+?)>|auto)&? (\w+) = (.+?)\.(?:template )?(Get|DeQue|AllocTensor)<(.+?)>\(\);$/
  const [a, b] = [shape.exec(before.text), shape.exec(after.text)]
  if (!a || !b || a[2] !== b[2] || a[3] !== b[3]) return undefined
  const [, declared, name = '', owner = '', method, given = ''] = a
  const right = b[5]!
  if (declared !== undefined && declared !== given)
    return because('two-types', {name, declared, call: `${method}<${given}>`, given, right})
  if (given === right) return undefined
  const use = failedStatements(path, scene).find(
    ({text, line}) =>
      line > before.line &&
      new RegExp(`\\b\\w+(?:<[^;]*>)?\\(.*\\b${name}\\b`).test(text) &&
      !/EnQue|FreeTensor|\bCast(?:<[^;]*>)?\(/.test(text),
  )
  return use && because('taken-as', {name, owner, given, right, line: use.line, use: use.text})
}

function throughFloat(edit: Replaced): Reason | undefined {
  const [, name, right] = /(\w+) = ([^;]+);$/.exec(edit.after.text) ?? []
  const wrong = /= ([^;]+);$/.exec(edit.before.text)?.[1]
  const form = right === undefined ? '' : escaped(right)
  const through = new RegExp(
    `^static_cast<uint\\d+_t>\\((?:static_cast<float>\\(${form}\\)|\\(${form}\\) \\* 1\\.0f)\\)$`,
  )
  if (name === undefined || right === undefined || wrong === undefined || !through.test(wrong)) return undefined
  return because('through-float', {name, right})
}

/** `std::max(n, 1)` for `std::max(n, 1u)`. */
function mixedSigns(edit: Replaced): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const name = /\bstd::(max|min)\(/.exec(edit.after.text)?.[1]
  return name !== undefined && right === `${wrong}u` ? because('mixed-signs', {name, wrong, right}) : undefined
}

/** `std::string n = …` for `uint32_t n = …`. */
function variable({before, after}: Replaced): Reason | undefined {
  const shape = /^((?:const |static |constexpr )*)([\w:]+(?:<[^;=]*>)?[ *&]*) ?\b(\w+)( = .*|\{.*)?;$/
  const [a, b] = [shape.exec(before.text), shape.exec(after.text)]
  if (!a || !b || a[3] !== b[3] || a[2] === b[2] || (a[4] ?? '') !== (b[4] ?? '') || a[4] === undefined)
    return undefined
  const [wrong, right] = [a[2]!.trim(), b[2]!.trim()]
  return /^auto|Tensor|TQue|TBuf/.test(right) ? undefined : because('variable', {name: a[3]!, wrong, right})
}

/** A pointer to a shape where its size is wanted. */
function shape({before, after}: Replaced): Reason | undefined {
  const right = /(->GetStorageShape\(\)\.\w+\(.*\));$/.exec(after.text)?.[1]
  if (right === undefined || after.text.replace(right, '') !== before.text) return undefined
  const call = /(\w+)\(\d*\)(?:->GetStorageShape.*)?;$/.exec(before.text)?.[1] ?? ''
  return because('shape', {call, right: right.slice(2)})
}
