import {interfaces} from '../../cpp/interfaces.ts'
import type {ApiEntry} from '../../datasets/schema/api-entry.ts'

/** A page about one interface that says hardly more than its name. */
export const entryOf = (name: string, changes: Partial<ApiEntry> = {}): ApiEntry => ({
  ...{name, kind: 'basic', page: name, language: 'zh', product: '910b', purpose: '', parameters: [], dtypes: []},
  ...{constraints: [], alignment: [], pipe: '', examples: [], stages: {}},
  prototypes: [{text: `void ${name}()`, returns: 'void', templates: [], parameters: []}],
  origin: {repository: 'r', revision: 'v', path: `${name}.md`, licence: 'Apache-2.0'},
  ...changes,
})

/** Interfaces with a page of which the table knows nothing, and which are asked about all the same. */
const others =
  'DisableDmaAtomic DataSyncBarrier TQueSync InitSocState GetDataBlockSizeInBytes GetSubBlockNum GetSystemCycle ' +
  'GlobalTensor LocalTensor ReadGmByPassDCache WriteGmByPassDCache SetFmatrix SetLoadDataBoundary ' +
  'SetLoadDataPaddingValue SetLoadDataRepeat SetFixPipeConfig SetFixpipeNz2ndFlag SetFixpipePreQuantFlag Trap ' +
  'LocalMemAllocator PopStackBuffer TBuf TBufPool TPipe TQue TQueBind Crd2Idx MakeCoord Layout MakeLayout MakeShape ' +
  'MakeStride ListTensorDesc TPosition TensorDesc GroupBarrier GetMatmulApiTiling DataCachePreload ICachePreLoad'

/** A page for each name of the table of interfaces, and for others. */
export const everyEntry: readonly ApiEntry[] = [...new Set([...interfaces.keys(), ...others.split(' ')])].map((name) =>
  entryOf(name),
)
