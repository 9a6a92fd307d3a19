import {mkdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import type {ColumnType} from '../../datasets/parquet/column-types.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import {temporaryFolder} from './temporary.ts'

const turns = {list: {struct: {role: 'string', content: 'string'}}} as const
const files = {list: {struct: {path: 'string', start: 'int32', end: 'int32', text: 'string'}}} as const
const types: Readonly<Record<string, ColumnType>> = {prompt: turns, completion: turns, files}

/** Device code in which faults can be planted. */
export const kernel = (name: string) => `class Kernel${name} {
public:
    __aicore__ inline void Process(uint32_t ${name}Length)
    {
        for (uint32_t ${name} = 0; ${name} < ${name}Tiles; ${name}++) {
            LocalTensor<float> ${name}In = ${name}Queue.DeQue<float>();
            LocalTensor<float> ${name}Out = ${name}OutQueue.AllocTensor<float>();
            Adds(${name}Out, ${name}In, static_cast<float>(1.5), ${name}Length);
            ${name}OutQueue.EnQue(${name}Out);
            ${name}Queue.FreeTensor(${name}In);
            DataCopy(${name}Gm[${name} * ${name}Length], ${name}Out, ${name}Length);
        }
    }
};
`

/** A row that the effect meter trains on or measures by. */
export function row(name: string, kind: string, repository: string, unit = 'tiles') {
  const text = kernel(name)
  const path = `op_kernel/${name}.cpp`
  return {
    id: `${kind}-${name}`,
    ...{kind, side: kind === 'kernel' ? 'kernel' : null, asks: kind === 'kernel' ? 'file' : null},
    ...{repository, path: `math/${name}/${path}`},
    prompt: [{role: 'user', content: `Write the kernel of ${name}.`}],
    completion: [
      {role: 'assistant', content: `<think>\n${name} goes by ${unit}.\n</think>\n\n\`\`\`cpp\n${text}\`\`\``},
    ],
    files: [{path, start: null, end: null, text}],
  }
}

/** A data set of such rows. */
export async function dataset(rows: readonly object[]): Promise<string> {
  const root = await temporaryFolder()
  const path = join(root, 'data/sft/train-00000-of-00001.parquet')
  await mkdir(dirname(path), {recursive: true})
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({name, type: types[name] ?? ('string' as const)}))
  const file = await createParquetFile(path, columns, {codec: 'snappy', rowGroupBytes: 1e6, rowGroupRows: 100})
  for (const [number, one] of rows.entries()) await file.write({...one}, `${number}`)
  await file.finish()
  await file.publish(path)
  return root
}
