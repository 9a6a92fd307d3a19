import {readdirSync, readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {interfaces, vectorApis} from '../../cpp/interfaces.ts'
import type {Api} from '../../cpp/interfaces/row.ts'
import {type DtypeName, dtypeNames, elementTypes} from '../../cpp/types.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

// The table says of each interface which operands it takes and of which types. The headers of the twin, which refuse
// what Atlas A2 lacks, are the judge: a call is compiled for each interface and each type.

const twin = fileURLToPath(new URL('../../eval/twin/', import.meta.url))
const types = dtypeNames.filter((one) => !['float64', 'bool', 'complex64'].includes(one))
const modes: Partial<Record<Api['family'], string>> = {
  comparison: 'CMPMODE::EQ',
  selection: 'SELMODE::VSEL_TENSOR_TENSOR_MODE',
  conversion: 'RoundMode::CAST_NONE',
}

/** What stands behind the two tensors of interfaces that have no form by count. */
const strides: Record<string, string> = {
  Brcb: '1, {1, 8}',
  Gatherb: 'tensor<uint32_t>(), 1, {1, 8}',
  GatherMask: 'tensor<bits>(), true, 64, {1, 1, 8, 8}, kept',
  WholeReduceSum: '64, 1, 1, 1, 8',
  WholeReduceMax: '64, 1, 1, 1, 8',
  WholeReduceMin: '64, 1, 1, 1, 8',
  RepeatReduceSum: '1, 64, 1, 1, 1, 8',
  BlockReduceSum: '1, 64, 1, 1, 8',
  BlockReduceMax: '1, 64, 1, 1, 8',
  BlockReduceMin: '1, 64, 1, 1, 8',
  PairReduceSum: '1, 64, 1, 1, 8',
}

/** Whose headers refuse by the size of an element, by both types of a conversion, or for several at once. */
const notSaid = new Set([
  ...['Broadcast', 'BroadCast', 'Pad', 'UnPad', 'ConfusionTranspose', 'TransDataTo5HD'],
  ...['WelfordFinalize', 'AscendAntiQuant', 'SelectWithBytesMask'],
])

const tensor = (type: DtypeName) => `tensor<${elementTypes[type].type}>()`

function callOf(name: string, {family, operands}: Api, type: DtypeName, {from = type, all = true} = {}): string {
  const given = operands
    .filter(({isOptional}) => all || !isOptional)
    .map(({kind, type: own}) => {
      if (kind === 'count') return '64'
      if (kind === 'mode') return modes[family]
      if (kind === 'scalar') return `one<${elementTypes[type].type}>()`
      if (kind === 'number') return '0'
      if (kind === 'flag') return 'true'
      if (kind === 'repeats') return 'uint64_t{64}, 1, {1, 1, 8, 8}'
      if (kind.startsWith('mask')) return tensor('uint8')
      return tensor(own ?? (kind === 'in' ? from : type))
    })
  // Whose name alone does not say whether it sorts all.
  const template = name === 'Sort' ? `<${elementTypes[type].type}, true>` : ''
  return `${name}${template}(${given.join(', ')});`
}

/** Which of some statements compile. */
async function compiling(statements: readonly string[]): Promise<boolean[]> {
  const file = join(await temporaryFolder(), 'probe.cpp')
  const head =
    '#include "kernel_operator.h"\nusing namespace AscendC; uint64_t kept;\n' +
    'template <typename T> LocalTensor<T>& tensor(); template <typename T> T one();\n'
  await writeFile(file, head + statements.map((text, at) => `void probe${at}() { ${text} }\n`).join(''))
  const {command, kind} = await chooseCompiler(process.env['ASCEND_COT_TEST_COMPILER'])
  const flags = ['-std=c++17', '-w', '-fsyntax-only', '-I', join(twin, 'include')]
  if (kind === 'clang') flags.push('-ferror-limit=0')
  const {stderr} = await runCommand(command, [...flags, file], {timeoutSeconds: 120})
  const refused = new Set([...stderr.matchAll(/probe\.cpp:(\d+):/g)].map(([, line]) => Number(line)))
  return statements.map((_, at) => !refused.has(at + 4))
}

/** Types with which one of some calls compiles. */
async function taken(calls: readonly {name: string; type: DtypeName; text: string}[]): Promise<Map<string, string[]>> {
  const works = await compiling(calls.map(({text}) => text))
  const found = new Map<string, string[]>()
  for (const [at, {name, type}] of calls.entries()) {
    const known = found.get(name) ?? []
    found.set(name, works[at] && !known.includes(type) ? [...known, type] : known)
  }
  return found
}

const textsIn = (folder: string) =>
  readdirSync(join(twin, folder))
    .map((name) => readFileSync(join(twin, folder, name), 'utf8'))
    .join('\n')
const tableOf = (names: Iterable<string>) =>
  Object.fromEntries([...names].map((name) => [name, [...interfaces.get(name)!.types].sort()]))
const sorted = (found: Map<string, string[]>) =>
  Object.fromEntries([...found].map(([name, list]) => [name, [...list].sort()]))

describe('the twin takes what the table says', () => {
  const byCount = [...vectorApis].filter(([, {operands}]) => operands.length > 0)

  test('operands in their order, and element types', {timeout: 120_000}, async () => {
    const calls = byCount.flatMap(([name, api]) =>
      types.flatMap((type) =>
        (api.family === 'conversion' ? types : [type]).map((from) => ({
          name,
          type,
          text: callOf(name, api, type, {from}),
        })),
      ),
    )
    expect(sorted(await taken(calls))).toEqual(tableOf(byCount.map(([name]) => name)))
  })

  test('what may be left out', async () => {
    const optional = byCount.filter(([, {operands}]) => operands.some(({isOptional}) => isOptional))
    const texts = optional.map(([name, api]) => callOf(name, api, api.types[0]!, {all: false}))
    const works = await compiling(texts)
    expect(texts.filter((_, at) => !works[at])).toEqual([])
  })

  test('element types of what has no form by count', async () => {
    const calls = Object.entries(strides).flatMap(([name, rest]) =>
      types.map((type) => {
        const given = rest.replace('bits', `uint${elementTypes[type].bytes * 8}_t`)
        return {name, type, text: `${name}(${tensor(type)}, ${tensor(type)}, ${given});`}
      }),
    )
    expect(sorted(await taken(calls))).toEqual(tableOf(Object.keys(strides)))
  })

  test('element types of the others, in the words of the refusal', () => {
    const text = textsIn('include/twin').replace(/"\s+"/g, '')
    const others = [...interfaces].filter(
      ([name, {operands, types}]) => types.length > 0 && operands.length === 0 && !(name in strides),
    )
    const names = others.map(([name]) => name).filter((name) => !notSaid.has(name))
    const found = names.map((name): [string, string[]] => {
      const said = text.matchAll(new RegExp(`"${name} (?:on this device |here )?(?:takes|gives) ([^"]*)`, 'g'))
      // A scale, and what goes with the elements, has types of its own.
      const words = [...said].flatMap(([, list = '']) => list.split(', by')[0]!.match(/\w+/g) ?? [])
      return [name, types.filter((type) => words.includes(elementTypes[type].type))]
    })
    expect(sorted(new Map(found))).toEqual(tableOf(names))
  })

  test('pipes', () => {
    const text = textsIn('runtime/device')
    const begun = [...text.matchAll(/\bBegin\((?:sparse \? "\w+" : )?"(\w+)", PIPE_(\w+)/g)]
    const told = begun.map(([, name = '']) => name).filter((name) => interfaces.has(name))
    expect(told.length).toBeGreaterThan(20)
    for (const name of told) {
      const runs = begun.flatMap(([, one, pipe]) => (one === name ? [pipe] : []))
      expect(runs, name).toEqual(expect.arrayContaining([...interfaces.get(name)!.pipes]))
    }
  })
})
