import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {Arithmetic, ArithmeticRole, Decision} from '../../../datasets/schema/decision.ts'
import {reportedUbBytes} from '../memory-plan.ts'
import {lastName} from '../settled-values.ts'
import {decided, factOf, few, launchedName, namesInside, rule, wordsOf, type HostView, type Size} from './host-view.ts'
import {formOf, formsInside, written, type Form} from './size-forms.ts'
import {workedOut} from './worked-out.ts'

const because = (sizes: readonly Size[]) => [...sizes.map(factOf), rule('GetCoreMemSize', 'unified-buffer')]

/** How long a tile may be: what an element costs, what fits, how that is rounded and what else bounds it. */
export function tileDecisions(view: HostView): Decision[] {
  const fit = fitOf(view)
  return [
    ...costDecision(view, fit),
    ...(fit ? [fitDecision(view, fit)] : []),
    ...halvedDecision(view),
    ...roundedDecision(view, fit),
    ...boundDecision(view, fit),
    ...knownDecision(view),
    ...(fit ? [] : fixedDecision(view)),
    ...(fit ? [] : cappedDecision(view)),
  ]
}

/** What sizes are, by their names: units of a type, bytes of a tile and what fits. */
export function rolesOf(view: HostView): Map<string, ArithmeticRole> {
  const fit = fitOf(view)
  const units = view.sizes.flatMap(({name, form}): [string, ArithmeticRole][] => {
    const bytes = form?.kind === 'divide' && view.isTypeBytes(written(form.by)) ? view.number(written(form.of)) : 0
    if (bytes === 32) return [[name, 'block']]
    return bytes === 256 ? [[name, 'repeat']] : []
  })
  const [, kept = ''] = fit ? (/^[\w.>-]+ - (.+)$/.exec(written(fit.form.of)) ?? []) : []
  return new Map<string, ArithmeticRole>([
    ...view.facts.blockDim.map((one): [string, ArithmeticRole] => [launchedName(one), 'cores']),
    ...units,
    ...roundedDecision(view, fit).map(({subject}): [string, ArithmeticRole] => [subject, 'whole']),
    ...(fit ? ([[fit.size.name, 'fits']] as const) : []),
    ...(fit ? ([[lastName(written(fit.form.by)), 'cost']] as const) : []),
    ...(kept === '' ? [] : ([[lastName(kept), 'fixed']] as const)),
  ])
}

/** A size with the division in it that says how much fits. */
interface Fit {
  size: Size
  form: Form
}

/** A division of the buffer, as a whole or within a bound or a rounding. */
function fitOf(view: HostView): Fit | undefined {
  for (const size of view.sizes) {
    if (size.form && !/^(?:divide|min|max|round-down)$/.test(size.form.kind)) continue
    const form = formsInside(size.expression).find(({kind, of, by}) => kind === 'divide' && isShareOfUb(view, of, by))
    const isHalved = size.form?.kind === 'divide' && size.form !== form && !isSameForm(size.form, form)
    if (form && !isHalved) return {size, form}
  }
  return undefined
}

const isSameForm = (a: Form, b: Form | undefined) =>
  b !== undefined && written(a.of) === written(b.of) && written(a.by) === written(b.by)

/** Constants that count buffers, or bytes of a block or a repeat. */
const isUnit = (value: number | undefined) => value !== undefined && (value < 16 || [32, 256, 512].includes(value))

/** Bytes of the buffer by bytes of an element: neither by a count nor by a unit. */
function isShareOfUb(view: HostView, of: Expression, by: Expression): boolean {
  const [whole, text] = [written(of), written(by)]
  const isCount =
    /^[\w.>-]+$/.test(text) && wordsOf(lastName(text)).some((one) => /^(?:num|number|count|cnt)$/.test(one))
  const isBytes = view.number(whole) === undefined && !whole.includes('/') && view.hasUb(whole)
  return isBytes && !isCount && !/block|align/i.test(text) && !isBufferCount(view, text) && !isUnit(view.number(text))
}

const isBufferCount = (view: HostView, text: string) =>
  /^\w+$/.test(text) &&
  wordsOf(text).some((one) => /^buf(?:fer)?s?$|^double$/.test(one)) &&
  (view.number(text) ?? 3) <= 2

/** What a tile is counted in, as the name of its length or of its cost says. */
const unitOf = (name: string) => (/row|line/i.test(name) ? 'rows' : 'units')

/** What an element or a row takes of the buffer, as a sum over buffers. */
function costDecision(view: HostView, fit: Fit | undefined): Decision[] {
  const name = fit && lastName(written(fit.form.by))
  const cost = name === undefined ? undefined : view.only(name)
  if (!cost || !/[*+]/.test(cost.text)) return []
  const type = namesInside(cost.expression).find((one) => view.isTypeBytes(one))
  const [half, float] = [2, 4].map((bytes) => view.number(withBytes(cost.text, type, bytes)))
  const values = {name: cost.name, formula: cost.text, unit: unitOf(cost.name)}
  // A cost of elements that is not known by type says nothing of units that are larger.
  if (half === undefined && /element/i.test(cost.name)) return []
  if (half === undefined || float === undefined)
    return [decided('host-tile', 'cost-of-row', cost.name, values, because([cost]))]
  const room = roomOf(view, fit)
  if (room === undefined) return [decided('host-tile', 'cost-of-row', cost.name, values, because([cost]))]
  const [width, ...others] = view.widths
  const own = width === undefined || others.length > 0 ? undefined : view.number(withBytes(cost.text, type, width))
  if (own !== undefined && half !== float) {
    const one = {...values, room, width: width ?? 0, each: own, fits: Math.floor(room / own)}
    return [decided('host-tile', 'cost-one', cost.name, one, because([cost]))]
  }
  const [fits, fitsFloat] = [half, float].map((bytes) => Math.floor(room / bytes))
  const whole = {...values, room, half, float, fits: fits ?? 0, fitsFloat: fitsFloat ?? 0}
  return [decided('host-tile', half === float ? 'cost-fixed' : 'cost', cost.name, whole, because([cost]))]
}

/** What tiles may take: a part of the buffer may be kept for something else. */
function roomOf(view: HostView, fit: Fit | undefined): number | undefined {
  const of = fit ? written(fit.form.of) : ''
  if (!/^[\w.>-]+ - /.test(of)) return reportedUbBytes
  const kept = view.number(of.slice(of.indexOf(' - ') + 3))
  return kept === undefined ? undefined : reportedUbBytes - kept
}

function withBytes(text: string, type: string | undefined, bytes: number): string {
  return type === undefined ? text : text.replace(new RegExp(`\\b${type}\\b`, 'g'), String(bytes))
}

function fitDecision(view: HostView, {size: fit, form}: Fit): Decision {
  const [of, by] = [written(form.of), written(form.by)]
  const values = {name: fit.name, of, by, bytes: reportedUbBytes, unit: unitOf(fit.name)}
  const isLess = /^[\w.>-]+ - /.test(of)
  const taken = isLess ? of.slice(of.indexOf(' - ') + 3) : ''
  const kept = taken === '' ? undefined : view.number(taken)
  const fixed = {...values, taken, kept: kept ?? 0}
  const situation = kept === undefined ? 'fits-beside' : 'fits-reserve'
  return decided('host-tile', isLess ? situation : 'fits', fit.name, fixed, because([fit]))
}

/** Half of the buffer, if every queue has two blocks. */
function halvedDecision(view: HostView): Decision[] {
  const found = view.sizes.find(({form}) => form?.kind === 'divide' && isBufferCount(view, written(form.by)))
  if (!found?.form) return []
  const [of, by] = [written(found.form.of), written(found.form.by)]
  if (!view.hasUb(of) || view.number(by) !== 2) return []
  return [decided('host-tile', 'halved', found.name, {name: found.name, of, by}, because([found]))]
}

/** Down to whole repeats or blocks: up would not fit any more. */
function roundedDecision(view: HostView, fit: Fit | undefined): Decision[] {
  const isOfFit = ({form}: Size) =>
    form?.kind === 'round-down' &&
    (view.hasUb(written(form.of)) || (fit !== undefined && namesInside(form.of).includes(fit.size.name)))
  const found = view.sizes.find(isOfFit)
  if (!found?.form) return []
  const values = {name: found.name, of: written(found.form.of), unit: written(found.form.by)}
  return [decided('host-tile', 'rounded-down', found.name, values, because([found]))]
}

/** The smaller of what fits and of what a core has, a part of it, or a limit. */
function boundDecision(view: HostView, fit: Fit | undefined): Decision[] {
  const depends = fit === undefined ? new Set<string>() : followers(view, fit.size.name)
  const found = view.sizes.find(
    ({name, form, statement}) =>
      form?.kind === 'min' &&
      statement.loops.length === 0 &&
      !view.isLaunched(name) &&
      [form.of, form.by].some(
        (one) => namesInside(one).some((inner) => depends.has(inner)) || view.hasUb(written(one)),
      ),
  )
  if (!found?.form) return []
  const isFit = (one: Expression) => namesInside(one).some((inner) => depends.has(inner)) || view.hasUb(written(one))
  const [fits, other] = isFit(found.form.of) ? [found.form.of, found.form.by] : [found.form.by, found.form.of]
  const values = {name: found.name, fits: written(fits), other: written(other), unit: unitOf(found.name)}
  const limit = view.number(written(other))
  if (limit !== undefined) return [decided('host-tile', 'limited', found.name, {...values, limit}, because([found]))]
  const parts = partsOf(view, other)
  const situation = parts === undefined ? 'bounded' : 'parts'
  return [decided('host-tile', situation, found.name, {...values, parts: parts ?? 0}, because([found]))]
}

/** `RoundUp(CeilDiv(share, 4), unit)`: into how many tiles a share is cut at least. */
function partsOf(view: HostView, expression: Expression): number | undefined {
  const outer = formOf(expression)
  const inner = outer?.kind === 'round-up' ? formOf(outer.of) : outer
  const parts = inner?.kind === 'ceil' ? view.number(written(inner.by)) : undefined
  return parts !== undefined && parts > 1 && parts <= 16 ? parts : undefined
}

/** A name and all that is computed from it. */
function followers(view: HostView, name: string): Set<string> {
  const found = new Set([name])
  for (let round = 0; round < 4; round += 1)
    for (const {name: own, expression} of view.sizes)
      if (namesInside(expression).some((one) => found.has(one))) found.add(own)
  return found
}

/** Sizes that the unified buffer alone decides, worked out. */
function knownDecision({facts: {known}, constants, ub}: HostView): Decision[] {
  const values = new Map([...constants, ...ub.map((name) => [name, reportedUbBytes] as const)])
  const steps = known
    .slice(0, 4)
    .flatMap(({statement: {target: name, text: expression}, value: result}): Arithmetic[] => {
      const asked = namesInside(readExpression(expression))
      const given = asked.flatMap((one): [string, number][] => [[one, values.get(one) ?? Number.NaN]])
      values.set(name, result)
      if (expression.length > 80 || given.some(([, value]) => Number.isNaN(value))) return []
      const worked = workedOut(expression, new Map(given))
      return worked === undefined ? [] : [{kind: 'arithmetic', name, expression, values: given, worked, result}]
    })
  const [first] = steps
  return first ? [decided('host-tile', 'known', first.name, {bytes: reportedUbBytes}, steps)] : []
}

const isTileLength = (name: string) =>
  wordsOf(name).includes('tile') && !wordsOf(name).some((one) => /^num|count|cnt|key|rows?$/.test(one))

/** A constant for a tile that no question to the platform precedes: the bytes that an element may cost. */
function fixedDecision(view: HostView): Decision[] {
  const found = view.sizes.find(({name, text, isField}) => {
    const value = view.number(text)
    return isField && isTileLength(name) && /^[A-Z_]\w*$/.test(text) && value !== undefined && value >= 256
  })
  const value = found && view.number(found.text)
  if (!found || value === undefined) return []
  const most = Math.floor(reportedUbBytes / value)
  const values = {name: found.name, constant: found.text, value, most, bytes: reportedUbBytes}
  return [decided('host-tile', 'constant', found.name, values, because([found]))]
}

/** A constant that a tile never passes where no question to the platform precedes: what it leaves for all buffers. */
function cappedDecision(view: HostView): Decision[] {
  for (const size of view.sizes.filter(({name, form}) => isTileLength(name) && form?.kind === 'min')) {
    const {form} = size
    const constant = [form?.by, form?.of].find((one) => one?.kind === 'name' && view.constants.has(one.text))
    const limit = constant && view.number(constant.text)
    if (!constant || limit === undefined || limit < 256) continue
    const values = {name: size.name, constant: constant.text, limit, most: Math.floor(reportedUbBytes / limit)}
    const situation = wordsOf(constant.text).includes('bytes') ? 'capped-bytes' : 'capped'
    return [decided('host-tile', situation, size.name, {...values, bytes: reportedUbBytes}, because([size]))]
  }
  return []
}

/** The bytes of an element by its type, and what follows from them. */
export function typeDecision(view: HostView): Decision[] {
  const first = view.sizes.find((one) => view.isTypeBytes(one.name) && view.isChosenByType(one))
  // Where all types are as wide, nothing follows from them.
  if (!first || view.widths.length === 1) return []
  const users = few(
    view.sizes
      .filter(({name, expression}) => name !== first.name && namesInside(expression).includes(first.name))
      .map(({name}) => name),
    4,
  )
  const situation = users.length > 0 ? 'bytes' : 'bytes-alone'
  return [decided('host-types', situation, first.name, {name: first.name, users}, [factOf(first)])]
}
