import {interfaces} from '../../../cpp/interfaces.ts'
import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {type Value, valueOf, type WorkedRun} from '../../../datasets/schema/worked.ts'
import {code, type Voice} from '../../../datasets/voice.ts'

/** Most values of a tensor written out. */
const mostShown = 12

/** Further values in the wording of a question: values of tensors, and how each result comes about. */
export function shownValues(run: WorkedRun, speaker: Voice): Record<string, string> {
  const {inputs, results} = run
  const shown = [
    ...inputs.flatMap(({name, values}) => (values ? [[name, values.map(String)] as const] : [])),
    ...Object.entries(results).map(([name, values]) => [name, values.map(valueText)] as const),
  ].map(([name, values]) => [name, values.slice(0, mostShown).join(', ')] as const)
  const given = shown.filter(([name]) => name !== 'z').map(([name, text]) => `\`${name} = [${text}]\``)
  return {
    ...Object.fromEntries(shown.map(([name, text]) => [`${name}s`, text])),
    given: speaker.list(given),
    does: doesOf(run, speaker),
    ...(run.values['formula'] !== undefined && steps(run, speaker)),
  }
}

/** What an interface does, by the table; in Chinese with Chinese commas. */
function doesOf({api}: WorkedRun, {language}: Voice): string {
  const text = interfaces.get(api)?.[language] ?? ''
  return language === 'zh' ? text.replaceAll(',', '，') : text
}

/** Six significant digits, without the error of their own. */
const valueText = (value: Value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : value)

function steps({inputs, outputs, expected, results, values}: WorkedRun, speaker: Voice): Record<string, string> {
  const exact = (expected['z'] ?? []).map(Number)
  const found = results['z'] ?? []
  const dtype = outputs[0]?.dtype ?? 'float32'
  const texts = exact.map((value, at) => {
    const numbers = inputs
      .reduce(
        (text, one) => text.replace(new RegExp(`\\b${one.name}\\b`, 'g'), numberIn(one.values?.[at] ?? 0)),
        String(values['formula']),
      )
      .replace(lonely, '$1')
    const [right, seen] = [valueText(valueOf(value)), valueText(found[at] ?? 'NaN')]
    const sign = Number(right) === value || !Number.isFinite(value) ? '=' : '≈'
    return right === seen ? `${numbers} ${sign} ${right}` : `${numbers} ${sign} ${right} → ${seen}`
  })
  return {
    steps: speaker.list(texts.map(code)),
    kind: kindOf(found, exact),
    bits: dtype === 'float16' ? '11' : '24',
    aligned: (exact.length * dtypeBytes[dtype]) % 32 === 0 ? 'yes' : 'no',
  }
}

/** A negative number between brackets, commas or bars needs no brackets. */
const lonely = /(?<=[(,|]\s*)\((-[\d.]+)\)(?=\s*[),|])/g

const numberIn = (value: number) => (value < 0 ? `(${value})` : String(value))

function kindOf(found: readonly Value[], exact: readonly number[]): string {
  const isNew = (text: Value) => found.some((value, at) => value === text && Number.isFinite(exact[at] ?? NaN))
  if (isNew('Infinity') || isNew('-Infinity')) return 'inf'
  return found.some((value, at) => value !== exact[at]) ? 'round' : 'exact'
}
