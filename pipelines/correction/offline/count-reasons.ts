import {familyOf} from '../../../cpp/interfaces.ts'
import {isOperation, operation} from './operations.ts'
import {failedStatements, type Reason, type Replaced, reasons, type Scene, type Site} from './reason.ts'
import {isLarger, isSmaller} from './text-relations.ts'

const because = reasons('count-reasons')

interface Changed {
  wrong: string
  right: string
}

/** A number of elements, bytes or cores. */
export function countReason(
  site: Site,
  changed: Changed & {at: number},
  {path}: Replaced,
  scene: Scene,
): Reason | undefined {
  const {at, wrong, right} = changed
  const {name, args, mark} = site.after
  if (mark !== '(') return undefined
  if (name === 'SetBlockDim') return because('cores', {wrong, right, than: thanOf(changed)})
  if (right === `${wrong}->GetData()`) return because('object', {name, wrong, right})
  if (name === 'InitBuffer') return bufferReason(changed, args)
  if (wrong === `-${right}`) return because('sign', {name, wrong}, {why: operation(site.after) ?? [], fromCode: false})
  const isCount = at === args.length - 1 && (isOperation(name) || name === 'DataCopy')
  return isCount ? lengthReason(name, changed, lineOf(path, right, scene)) : constantReason(site, changed)
}

function thanOf({wrong, right}: Changed): 'fewer' | 'more' | 'other' {
  if (isSmaller(wrong, right)) return 'fewer'
  return isLarger(wrong, right) ? 'more' : 'other'
}

/** The number of elements that an instruction works on, which a line computes. */
function lengthReason(name: string, changed: Changed, line: number): Reason | undefined {
  const {wrong, right} = changed
  const than = thanOf(changed)
  if (than !== 'other') return because(than, {name, wrong, right, line})
  const isRounded = familyOf(name) === 'comparison' && /padded|aligned/i.test(right)
  return isRounded ? because('comparison', {name, wrong, right}) : undefined
}

/** Where a name gets its value; 0 if no line shows it. */
function lineOf(path: string, name: string, scene: Scene): number {
  if (!/^\w+$/.test(name)) return 0
  return failedStatements(path, scene).find(({text}) => new RegExp(`\\b${name} = `).test(text))?.line ?? 0
}

function bufferReason({at, wrong, right}: Changed & {at: number}, args: readonly string[]): Reason | undefined {
  const values = {owner: args[0] ?? '', wrong, right}
  if (at === 1 && args.length === 3) return because('number', values)
  if (at !== args.length - 1) return undefined
  const bytes = (than: string, why: string) => because('bytes', {...values, than}, {why: because.says(why, values)})
  if (isSmaller(wrong, right) || (/^\d{1,3}$/.test(wrong) && !/^\d+$/.test(right)))
    return bytes('fewer', 'few-bytes-why')
  return /\* ?1024/.test(wrong) ? bytes('other', 'all-bytes-why') : undefined
}

/** A wrong literal whose correct value the task states. */
function constantReason({after}: Site, {wrong, right}: Changed): Reason | undefined {
  const {name} = after
  const does = operation(after)
  if (!does || !isLiteral(wrong) || !isLiteral(right)) return undefined
  const neutral = {Adds: [0, 'plus-zero'], Muls: [1, 'times-one']}[name as 'Adds' | 'Muls'] as
    | [number, string]
    | undefined
  const why = neutral?.[0] === Number.parseFloat(right) ? [does, because.says(neutral[1], {})] : does
  return because('constant', {name, wrong, right}, {why, fromCode: false})
}

const isLiteral = (text: string) => /^(?:static_cast<\w+>\()?-?[\d.]+[a-z]*\)?$/.test(text)
