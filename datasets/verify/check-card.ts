import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {parse} from 'yaml'
import {z} from 'zod'
import {canonicalJson} from '../../engine/ids.ts'
import {loadedBytes} from '../parquet/arrow-bytes.ts'
import {datasetInfo} from '../card/card-metadata.ts'
import {configs, Split} from '../schema/export.ts'
import type {Artifact} from '../schema/sample.ts'
import {cardAgain, type Problem} from './problem.ts'

const CardHead = z.object({
  dataset_info: z.array(
    z.object({
      config_name: z.string(),
      features: z.unknown(),
      splits: z.array(z.object({name: z.string(), num_bytes: z.number(), num_examples: z.number()})),
      download_size: z.number(),
      dataset_size: z.number(),
    }),
  ),
})

const file = 'README.md'

/** Compares the card's YAML head, which `load_dataset` and the viewer trust, with the files. */
export async function checkCard(directory: string, data: readonly Artifact[]): Promise<Problem[]> {
  const problem = (what: string): Problem => ({file, what, fix: cardAgain})
  const text = await readFile(join(directory, file), 'utf8').catch(() => undefined)
  if (text === undefined) return [problem('is missing')]
  const head = headOf(text)
  if (typeof head === 'string') return [problem(head)]
  const expected = datasetInfo(splitsOf(data), await loadedBytes(directory, data))
  const named = head.dataset_info.map(({config_name}) => config_name)
  const unknown = named.filter((name) => !expected.some(({config_name}) => config_name === name))
  return [
    ...unknown.map((name) => problem(`lists the configuration ${name}, which has no file`)),
    ...expected.flatMap((info) => {
      const told = head.dataset_info.find(({config_name}) => config_name === info.config_name)
      if (!told) return [problem(`does not list the configuration ${info.config_name}`)]
      return differences(told, info).map((what) => problem(`${info.config_name}: ${what}`))
    }),
  ]
}

function headOf(text: string): z.infer<typeof CardHead> | string {
  const [, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  if (yaml === undefined) return 'has no YAML head'
  try {
    const {data, error} = CardHead.safeParse(parse(yaml))
    return (
      data ?? `has a head without a valid dataset_info: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`
    )
  } catch (error) {
    return `has a head that is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  }
}

type Told = z.infer<typeof CardHead>['dataset_info'][number]

function differences(told: Told, found: ReturnType<typeof datasetInfo>[number]): string[] {
  const numbers = (of: Told | typeof found) => ({
    ...Object.fromEntries(
      of.splits.flatMap(({name, num_examples, num_bytes}) => [
        [`rows of ${name}`, num_examples],
        [`num_bytes of ${name}`, num_bytes],
      ]),
    ),
    download_size: of.download_size,
    dataset_size: of.dataset_size,
  })
  const [said, counted]: Record<string, number>[] = [numbers(told), numbers(found)]
  const names = [...new Set([...Object.keys(said ?? {}), ...Object.keys(counted ?? {})])]
  return [
    ...names
      .filter((name) => said?.[name] !== counted?.[name])
      .map((name) => `says ${name} ${said?.[name] ?? 'nothing'}, the files say ${counted?.[name] ?? 'nothing'}`),
    ...(canonicalJson(told.features) === canonicalJson(found.features)
      ? []
      : ['lists features that differ from the columns']),
  ]
}

function splitsOf(data: readonly Artifact[]) {
  return configs
    .map((config) => ({
      config,
      splits: Split.options
        .map((split) => ({split, own: data.filter((one) => one.config === config && one.split === split)}))
        .filter(({own}) => own.length > 0)
        .map(({split, own}) => ({
          split,
          files: own.length,
          rows: own.reduce((sum, {rows}) => sum + rows, 0),
          bytes: own.reduce((sum, {bytes}) => sum + bytes, 0),
        })),
    }))
    .filter(({splits}) => splits.length > 0)
}
