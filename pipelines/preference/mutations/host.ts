import {placesOf, siteMutation, without, type Mutation} from './mutation.ts'

const oneCore = siteMutation('wrong-block-dim', 'op_host', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [cores] = args
    return name === 'SetBlockDim' && cores
      ? [{start: cores.start, end: cores.end, replacement: '1', says: 'one core is launched for the work of many'}]
      : []
  }),
)

const tilingNotSaved = siteMutation('tiling-not-saved', 'op_host', (source) =>
  source.calls.flatMap(({name, statement}) =>
    name === 'SaveToBuffer' && statement ? [without(source, statement, 'the tiling data is never saved')] : [],
  ),
)

const unknownKey = siteMutation('wrong-tiling-key', 'op_host', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [key] = args
    return name === 'SetTilingKey' && key
      ? [{start: key.start, end: key.end, replacement: '99', says: 'a tiling key that no branch of the kernel serves'}]
      : []
  }),
)

/** `tiling.set_length(…)` omitted: the kernel reads 0. */
const fieldNotSet = siteMutation('tiling-field-not-set', 'op_host', (source) =>
  source.calls.flatMap(({name, statement}) =>
    name.startsWith('set_') && statement ? [without(source, statement, `${name.slice(4)} is never set`)] : [],
  ),
)

const wrongLength = siteMutation('wrong-total-length', 'op_host', (source) =>
  placesOf(source, 'GetShapeSize()', () => ({
    replacement: 'GetDim(0)',
    says: 'the first dimension is taken for the number of elements',
  })),
)

export const hostMutations: readonly Mutation[] = [oneCore, tilingNotSaved, unknownKey, fieldNotSet, wrongLength]
