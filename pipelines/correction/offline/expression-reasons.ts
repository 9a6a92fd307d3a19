import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {Message} from '../../telling/tell-message.ts'
import {countReason} from './count-reasons.ts'
import {
  changedArgument,
  kindOf,
  parameterNames,
  type Reason,
  type Replaced,
  reasons,
  type Scene,
  type Site,
  sitesOf,
} from './reason.ts'
import {escaped, offsetOf, scaleOf} from './text-relations.ts'

const because = reasons('expression-reasons')

interface Changed {
  wrong: string
  right: string
}

/** An index, a length, a size or a factor that is computed another way than the right one. */
export function expressionReason(edit: Replaced, scene: Scene): Reason | undefined {
  const sites = sitesOf(edit)
  const ofFields = fieldReason(sites, scene)
  if (ofFields) return ofFields
  for (const site of sites) {
    const changed = changedArgument(site)
    if (!changed) continue
    const told =
      (site.after.mark === '[' ? indexReason(site, changed) : undefined) ??
      partReason(site, changed, scene) ??
      addressReason(site, changed) ??
      countReason(site, changed, edit, scene) ??
      modeReason(site, changed, scene)
    if (told) return told
  }
  return undefined
}

/** `tensor[index]`. */
function indexReason({after: {name: tensor}}: Site, {wrong, right}: Changed): Reason | undefined {
  const [factor, offset] = [scaleOf(wrong, right), offsetOf(wrong, right)]
  if (factor !== undefined) return because('index-in-bytes', {tensor, factor, wrong, right})
  if (offset !== undefined) return because('index-off', {tensor, offset, wrong, right})
  return wrong === '0' ? because('index-zero', {tensor, right}) : undefined
}

/** `tensor[8]` where the whole tensor is meant. */
function partReason({after: {name, mark, args}}: Site, {wrong, right}: Changed, scene: Scene): Reason | undefined {
  const from = new RegExp(`^${escaped(right)}\\[(.+)\\]$`).exec(wrong)?.[1]
  if (from === undefined || mark !== '(' || kindOf(right, scene) === undefined) return undefined
  const overlaps = args[0] === right && args.slice(1).includes(right)
  const values = {name, wrong, right, from}
  const why = ['part-why', ...(overlaps ? ['part-overlap'] : [])]
  return because('part', values, {why: why.map((one) => because.says(one, values))})
}

/** The fields of copy parameters, by name as their page has them. */
function fieldReason(sites: readonly Site[], {apis}: Scene): Reason | undefined {
  const site = sites.find(({after}) => after.mark === '{' && /^DataCopy\w*Params$/.test(after.name))
  const {before, after} = site ?? {}
  if (!before || !after || before.args.length !== after.args.length) return undefined
  const names = fieldsOf(after.name, apis)
  const changed = after.args.flatMap((right, at) => {
    const wrong = before.args[at]!
    return right === wrong ? [] : [{field: names?.[at], wrong, right}]
  })
  const fields = changed.flatMap(({field, ...one}) => (field === undefined ? [] : [{field, ...one}]))
  if (!names || fields.length < changed.length) return undefined
  const why = isUnpadded(names, after.args)
    ? [because.says('unpadded', {sided: fields.some(({field}) => isSide(field)) ? 'yes' : 'no'})]
    : fields.map((one) => (/Stride$/.test(one.field) ? strideRule(after.name, one) : fieldRule(one)))
  const known = why.filter((one) => one !== undefined)
  if (known.length < why.length) return undefined
  const told = {structure: after.receiver, fields: fields.map((one) => because.says('field', one))}
  return because('fields', told, {why: known.filter((one, at) => isFirst(known, one, at))})
}

const isSide = (field: string) => /^(?:left|right)Padding$/.test(field)
const isFirst = (all: readonly Message[], one: Message, at: number) =>
  all.findIndex((each) => JSON.stringify(each) === JSON.stringify(one)) === at

function isUnpadded(fields: readonly string[], args: readonly string[]): boolean {
  return fields[0] === 'isPad' && args[0] === 'false' && args[1] === '0' && args[2] === '0'
}

function fieldsOf(structure: string, apis: ReadonlyMap<string, ApiEntry>): string[] | undefined {
  for (const {parameters} of apis.values()) {
    const fields = parameters.filter((one) => one.structure === structure).flatMap(({names}) => names)
    if (fields.length > 0) return fields
  }
  return undefined
}

function fieldRule({field, wrong, right}: Changed & {field: string}): Message | undefined {
  const [bytes, other] = [insideOfCast(right), insideOfCast(wrong)]
  if (field === 'blockLen') {
    const divisor = /^\(?(.+?)\)? \/ (\d+)$/.exec(other)?.[2]
    if (other === '0') return because.says('empty-block', {})
    if (divisor === '32') return because.says('not-in-blocks', {})
    if (divisor !== undefined) return because.says('part-copied', {bytes})
    if (/ \+ \d+$| \* \d+$/.test(other)) return because.says('more-copied', {bytes})
    return /\* sizeof\(/.test(bytes) && !/sizeof/.test(other) ? because.says('in-bytes', {}) : undefined
  }
  if (isSide(field)) return because.says('padding', {})
  if (field === 'isPad') return because.says('is-pad', {})
  return field === 'blockCount' ? because.says('block-count', {}) : undefined
}

/** Only the form with bytes, in which the unit depends on the side, is explained. */
function strideRule(structure: string, {wrong, right}: Changed): Message | undefined {
  if (structure !== 'DataCopyExtParams') return undefined
  const gap = insideOfCast(wrong) === '0' ? 'some' : 'unknown'
  return because.says('stride', {right, gap: insideOfCast(right) === '0' ? 'none' : gap})
}

function insideOfCast(text: string): string {
  return /^(?:static_cast<\w+>|u?int\d+_t|\(u?int\d+_t\))\((.*)\)$/.exec(text)?.[1] ?? text
}

/** `SetGlobalBuffer(address, …)`. */
function addressReason({after}: Site, {wrong, right}: Changed): Reason | undefined {
  const offset = after.name === 'SetGlobalBuffer' ? offsetOf(wrong, right) : undefined
  // The content before an address is not in the code.
  if (offset === undefined || offset.startsWith('-')) return undefined
  return because(right.includes(' + ') ? 'share' : 'address', {tensor: after.receiver, offset, right})
}

/** `RoundMode::CAST_ODD`. */
function modeReason({after: {name, args}}: Site, {at, wrong, right}: Changed & {at: number}, scene: Scene) {
  if (!/^RoundMode::.*CAST_NONE$/.test(right) || !/^RoundMode::CAST_\w+$/.test(wrong)) return undefined
  return because('mode', {name, wrong, right, of: parameterNames(name, args, scene)?.[at] ?? 'roundMode'})
}
