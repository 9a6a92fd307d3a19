import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const folder = fileURLToPath(new URL('../fixtures/direct-replies/', import.meta.url))

/** Where references of the replies lie, which are modules as the benchmark has them. */
export const directReference = (name: string) => `${folder}${name}.py`

const paths = ['ModelNew.py', 'kernel/launches.h', 'kernel/double_kernel.cpp', 'kernel/pybind11.cpp']

/** In the order of the binding's `enum Way`. */
export const ways = ['right', 'cached', 'in-place', 'alias', 'no-kernel', 'half']
  .concat(['beyond', 'shifted', 'other-operator', 'other-method', 'operator-sign', 'copies-back', 'refuses', 'throws'])
  .concat(['catches', 'adds', 'host-reads', 'aborts', 'endless', 'endless-kernel'])

interface Edits {
  /** Of a text, by its path. */
  edits?: Readonly<Record<string, readonly [string, string]>>
  /** Besides what the reply says of itself. */
  said?: object
  /** Texts besides. */
  more?: readonly {path: string; content: string}[]
}

/** A reply whose module doubles a tensor in the ways that it is asked for; most of them are wrong on purpose. */
export function doublingReply({edits = {}, said = {}, more = []}: Edits = {}): string {
  const sources = paths.map((path) => {
    const text = readFileSync(`${folder}${path}`, 'utf8')
    const [from, to] = edits[path] ?? ['', '']
    if (!text.includes(from)) throw new TypeError(`${path} does not hold ${from}`)
    return {path, content: from === '' ? text : text.replace(from, () => to)}
  })
  return JSON.stringify({build: {type: 'ascendc_direct_launch'}, ...said, sources: [...sources, ...more]})
}
