import {mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

/** A call of a model with one float32 tensor, as the oracle draws it. @returns the path of its file */
export function drawnCall(folder: string, shape: readonly number[], init: readonly unknown[] = []): string {
  const place = mkdtempSync(join(folder, 'call-'))
  const count = shape.reduce((product, size) => product * size, 1)
  const values = Float32Array.from({length: count}, (_, at) => ((at * 7919) % 1000) / 1000 - 0.5)
  writeFileSync(join(place, 'x.bin'), values)
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1))
  const inputs = [{dtype: 'float32', shape, strides, file: 'x.bin'}]
  writeFileSync(join(place, 'call.json'), JSON.stringify({init, inputs}))
  return join(place, 'call.json')
}
