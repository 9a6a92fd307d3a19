import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import {reasonFor} from '../../../pipelines/correction/offline/step-reasons.ts'
import {nthWording, said as inWords} from '../../helpers/nth-wording.ts'

const around = [
  'TQue<QuePosition::VECIN, 1> inQueue_;',
  'TQue<QuePosition::VECOUT, 1> outQueue_;',
  'TBuf<QuePosition::VECCALC> buf_;',
  'GlobalTensor<T> xGm_;',
  'void Run(uint32_t start, uint32_t count) {',
  '  LocalTensor<T> x = inQueue_.DeQue<T>();',
  '  LocalTensor<T> y = outQueue_.AllocTensor<T>();',
  '  HERE',
  '  outQueue_.EnQue(y);',
  '  inQueue_.FreeTensor(x);',
  '}',
]
const path = 'op_kernel/k.cpp'
/** A kernel with a line of its own. */
export const file = (here: string) => [{path, text: around.join('\n').replace('HERE', () => here)}]

const typeOf = (name: string) => (/^(?:dst|src\d?|sharedTmpBuffer)$/.test(name) ? 'const LocalTensor<T>&' : 'T')
const parameters = (...names: string[]) => names.map((name) => ({name, type: typeOf(name)}))
const entry = (name: string, names: string[], fields: string[] = []) =>
  ({
    name,
    prototypes: [{text: '', returns: '', templates: [], parameters: parameters(...names)}],
    parameters: fields.map((field) => {
      const structure = /padd/i.test(field) || field === 'isPad' ? 'DataCopyPadExtParams' : 'DataCopyExtParams'
      return {names: [field], structure}
    }),
  }) as unknown as ApiEntry
const fields = [
  'blockCount',
  'blockLen',
  'srcStride',
  'dstStride',
  'rsv',
  'isPad',
  'leftPadding',
  'rightPadding',
  'paddingValue',
]
export const apis = new Map(
  [
    // The form of another interface that goes by the same name.
    entry('Select', ['dst', 'src0', 'src1', 'mask', 'sharedTmpBuffer', 'info']),
    entry('Adds', ['dst', 'src', 'scalarValue', 'count']),
    entry('DataCopyPad', ['dst', 'src', 'dataCopyParams'], fields),
    {
      name: 'DataCopy',
      prototypes: [],
      parameters: [{names: ['blockCount', 'blockLen', 'srcStride', 'dstStride'], structure: 'DataCopyParams'}],
    } as unknown as ApiEntry,
  ].map((one) => [one.name, one]),
)

/** The reasons of each step between two lines of the same kernel; undefined for a step that they do not explain. */
export function reasonsOf(
  failed: string,
  right: string,
  {errors = [] as string[], log = '', language = 'en' as 'en' | 'zh', at = 0} = {},
) {
  const scene = {apis, failed: file(failed), right: file(right), errors, log}
  return editsBetween(scene.failed, scene.right).map((edit) =>
    inWords(reasonFor(edit, scene), nthWording(language, at)),
  )
}

export function told(...step: Parameters<typeof reasonsOf>) {
  return reasonsOf(...step).map((reason) => (reason ? `${reason.fault} ${reason.why}` : 'nothing'))
}

export const missing = (name: string) => ({errors: [`use of undeclared identifier '${name}'`]})

/** In one text, with `?` before what the code alone does not show. */
export function said(...step: Parameters<typeof reasonsOf>): string {
  const texts = reasonsOf(...step).map((reason) =>
    reason ? `${reason.fromCode ? '' : '? '}${reason.fault} ${reason.why}` : 'nothing',
  )
  return texts.join(' / ')
}
