import {constants} from 'node:fs'
import {lstat, mkdir, open, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {AttributeValue, OperatorCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount} from '../../datasets/schema/tensor.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import type {ExecuteOptions} from '../../datasets/schema/executor.ts'
import {asAbsent} from './tool-fault.ts'

interface CaseSetting extends ExecuteOptions {
  operator: string
  soc: string
  /** Absolute paths of the built operator's host and device side. */
  host: string
  kernel: string
  /** Time limit for tiling, and for the kernel. */
  seconds: {cpu: number; wall: number}
  /** Inputs, by position, whose values tiling may read. */
  hostValues: ReadonlySet<number>
  /** The kernel keeps variables in GM, so that state from an earlier launch matters. */
  keepsVariables: boolean
}

/**
 * Writes `case.txt` and the input files that the runner reads. One fact per line, fields separated by spaces,
 * percent-escaped: `input x float16 4,256 input-0.bin`, `attribute eps number 1e-5`. An input whose values tiling may
 * read ends with `host`, an output passed filled with zeros ends with `cleared`.
 */
export async function writeCase(directory: string, operatorCase: OperatorCase, setting: CaseSetting): Promise<void> {
  await mkdir(directory, {recursive: true})
  const {operator, soc, host, kernel, seconds, order = 'forward', poison = 'nan', tolerant = false} = setting
  const lines = [
    `operator ${operator}`,
    `soc ${soc}`,
    `host ${escape(host)}`,
    `kernel ${escape(kernel)}`,
    `seconds ${seconds.cpu} ${seconds.wall}`,
    `order ${order}`,
    `poison ${poison}`,
    `rules ${tolerant ? 'tolerant' : 'strict'}`,
    `launches ${setting.keepsVariables ? 2 : 1}`,
    `steps ${setting.traced ? 'told' : 'counted'}`,
  ]
  for (const [index, tensor] of operatorCase.inputs.entries()) {
    lines.push(`input ${tensorLine(tensor, `input-${index}.bin`)}${setting.hostValues.has(index) ? ' host' : ''}`)
  }
  for (const [index, spec] of operatorCase.outputs.entries()) {
    lines.push(`output ${tensorLine(spec, `output-${index}.bin`)}${spec.cleared ? ' cleared' : ''}`)
  }
  for (const [name, value] of Object.entries(operatorCase.attributes))
    lines.push(`attribute ${escape(name)} ${attributeText(value)}`)
  await Promise.all([
    writeFile(join(directory, 'case.txt'), `${lines.join('\n')}\n`),
    ...operatorCase.inputs.map(({data}, index) => writeFile(join(directory, `input-${index}.bin`), data)),
  ])
}

/**
 * The outputs that the runner wrote; undefined when one is missing or its size does not match its shape. The candidate
 * may have replaced them: links point to files of this machine, and opening a pipe would block forever.
 */
export async function readOutputs(
  directory: string,
  outputs: readonly TensorSpec[],
): Promise<Uint8Array[] | undefined> {
  const folder = await lstat(directory).catch(asAbsent)
  if (!folder?.isDirectory()) return undefined
  const read = await Promise.all(
    outputs.map((spec, index) =>
      readPlainFile(join(directory, `output-${index}.bin`), byteLength(spec)).catch(asAbsent),
    ),
  )
  return read.every((data) => data !== undefined) ? read : undefined
}

async function readPlainFile(path: string, bytes: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = await file.stat()
    return status.isFile() && status.size === bytes ? new Uint8Array(await file.readFile()) : undefined
  } finally {
    await file.close()
  }
}

function byteLength({dtype, shape}: TensorSpec): number {
  return elementCount(shape) * dtypeBytes[dtype]
}

function tensorLine({name, dtype, shape}: TensorSpec, file: string): string {
  return `${escape(name)} ${dtype} ${shape.length === 0 ? '-' : shape.join(',')} ${file}`
}

function attributeText(value: AttributeValue): string {
  if (typeof value === 'boolean') return `bool ${value ? 1 : 0}`
  if (typeof value === 'number') return `number ${value}`
  if (typeof value === 'string') return `string ${escape(value)}`
  return `list ${value.join(',')}`
}

function escape(text: string): string {
  return encodeURIComponent(text)
}
