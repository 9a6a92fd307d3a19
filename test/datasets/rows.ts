import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {ErrorEntry} from '../../datasets/schema/error-entry.ts'
import type {SplitRow} from '../../datasets/schema/export.ts'
import type {ModelledCost, OptimisationPair} from '../../datasets/schema/optimisation.ts'
import type {CotSample, PreferencePair, PreferenceSide} from '../../datasets/schema/sample.ts'
import type {UnpairedReply} from '../../datasets/schema/unpaired.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {contentId} from '../../engine/ids.ts'
import {silentLog} from '../../engine/log.ts'
import type {Context} from '../../engine/stage.ts'

export const executor: ExecutorIdentity = {name: 'twin', fingerprint: 'f00d', compiler: 'clang-15', soc: 'Ascend910B1'}

export const kernelText = [
  '#include "kernel_operator.h"',
  'extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {',
  '  GET_TILING_DATA(tilingData, tiling);',
  '  KernelScale op;',
  '  op.Init(x, y, tilingData.totalLength, tilingData.tileLength);',
  '  op.Process();',
  '}',
].join('\n')

export function sample(over: Partial<CotSample> = {}): CotSample {
  return {
    kind: 'documentation',
    prompt: 'DataCopy 的搬运长度有什么限制？',
    reasoning: '页面说明一个 block 为 32 字节，因此以字节计的长度须为 32 的倍数。',
    answer: '搬运长度须为 32 字节的倍数。',
    files: [],
    language: 'zh',
    origin: {
      repository: 'ascend-cot/starter',
      revision: '1',
      path: 'docs/data-copy.html',
      lines: [3, 9],
      licence: 'Apache-2.0',
    },
    teacher: {kind: 'offline'},
    stages: {'documentation-cot': 1},
    ...over,
  }
}

export function kernelSample(over: Partial<CotSample> = {}): CotSample {
  const text = over.files?.[0]?.text ?? kernelText
  return sample({
    kind: 'kernel',
    prompt: 'Write the kernel of ScaleCustom: y = 2x.',
    reasoning: 'One queue in, one queue out, tiles of tileLength elements.',
    answer: `\`\`\`cpp\n${text}\n\`\`\``,
    files: [{path: 'op_kernel/scale_custom.cpp', text}],
    language: 'en',
    origin: {
      repository: 'ascend-cot/starter',
      revision: '1',
      path: 'kernels/scale_custom/op_kernel/scale_custom.cpp',
      licence: 'Apache-2.0',
    },
    teacher: {kind: 'model', model: 'deepseek-reasoner'},
    verdict: {outcome: 'compiled', executor},
    ...over,
  })
}

export function side(over: Partial<PreferenceSide> = {}): PreferenceSide {
  return {
    reasoning: '',
    answer: `\`\`\`cpp\n${kernelText}\n\`\`\``,
    files: [{path: 'op_kernel/scale_custom.cpp', text: kernelText}],
    label: 'green',
    sampler: {kind: 'answer'},
    verdict: {
      outcome: 'correct',
      executor,
      cases: [{case: '1', literal: true, hardened: true, worstAbsolute: 0, worstRelative: 0, reason: ''}],
    },
    ...over,
  }
}

export function pair(over: Partial<PreferencePair> = {}): PreferencePair {
  const broken = kernelText.replace('op.Process();', 'op.Proces();')
  return {
    task: 'ScaleCustom',
    prompt: 'Write the kernel of ScaleCustom: y = 2x.',
    strategy: 'compile-fail',
    changed: {lines: 2, share: 0.2},
    chosen: side(),
    rejected: side({
      answer: `\`\`\`cpp\n${broken}\n\`\`\``,
      files: [{path: 'op_kernel/scale_custom.cpp', text: broken}],
      label: 'purple',
      sampler: {kind: 'mutation', mutation: 'misspell-call', detail: 'line 6'},
      verdict: {
        outcome: 'compile-failed',
        executor,
        log: 'error',
        diagnostics: [
          {severity: 'error', file: 'scale_custom.cpp', line: 6, column: 6, message: "no member named 'Proces'"},
        ],
      },
    }),
    origin: {repository: 'ascend-cot/starter', revision: '1', path: 'tasks/ScaleCustom', licence: 'Apache-2.0'},
    stages: {'preference-pairs': 1},
    ...over,
  }
}

export function sftRow(record: CotSample, split: 'train' | 'test' = 'train'): SplitRow {
  return {config: 'sft', id: contentId(record), split, record}
}

export function dpoRow(record: PreferencePair, split: 'train' | 'test' = 'train'): SplitRow {
  return {config: 'dpo', id: contentId(record), split, record}
}

export function apiEntry(over: Partial<ApiEntry> = {}): ApiEntry {
  return {
    name: 'Move',
    kind: 'basic',
    page: 'Move',
    language: 'zh',
    product: '910b',
    purpose: '把数据从一处搬运到另一处。',
    prototypes: [
      {
        text: 'template <typename T>\nvoid Move(const LocalTensor<T>& dst, uint32_t count = 8)',
        returns: 'void',
        templates: [{name: 'T', type: 'typename'}],
        parameters: [
          {name: 'dst', type: 'const LocalTensor<T>&'},
          {name: 'count', type: 'uint32_t', defaultValue: '8'},
        ],
      },
    ],
    parameters: [
      {
        names: ['dst', 'src'],
        direction: 'both',
        meaning: ['操作数。', '起始地址需要32字节对齐。'],
        choices: [{name: 'NONE', text: '不取整。'}],
        structure: '',
      },
    ],
    dtypes: ['half', 'float'],
    constraints: ['count * sizeof(T)必须是256字节的整数倍。'],
    alignment: [{bytes: 32, of: ['dst'], text: '起始地址需要32字节对齐。'}],
    pipe: 'PIPE_MTE2',
    examples: [{lead: '搬运一块数据：', code: 'AscendC::Move(dstLocal, 128);', result: 'dstLocal: [1 2 3]'}],
    origin: {
      repository: 'ascend-cot/starter',
      revision: '1',
      path: 'docs/move.html',
      lines: [1, 40],
      licence: 'Apache-2.0',
    },
    stages: {'api-index': 2},
    ...over,
  }
}

export function apiRow(record: ApiEntry): SplitRow {
  return {config: 'apis', id: contentId(record), split: 'train', record}
}

export function errorEntry(over: Partial<ErrorEntry> = {}): ErrorEntry {
  return {
    candidate: 'c0ffee',
    task: 'ScaleCustom',
    sampler: {kind: 'mutation', mutation: 'misspell-call', detail: 'line 6'},
    label: 'purple',
    outcome: 'compile-failed',
    class: 'syntax-and-structure',
    rule: '',
    signature: "no member named '…' in '…'",
    api: '',
    error: {
      message: "no member named 'Proces' in 'KernelScale'",
      file: 'op_kernel/scale_custom.cpp',
      line: 6,
      column: 6,
      code: '  op.Proces();',
    },
    executor,
    origin: {repository: 'ascend-cot/starter', revision: '1', path: 'tasks/ScaleCustom', licence: 'Apache-2.0'},
    stages: {'error-entries': 1},
    ...over,
  }
}

export function errorRow(record: ErrorEntry): SplitRow {
  return {config: 'errors', id: contentId(record), split: 'train', record}
}

export interface Drop {
  reason: string
  detail: string | undefined
  item: unknown
}

/** A context that remembers what was dropped. */
export function recordingContext(): Context & {drops: Drop[]} {
  const drops: Drop[] = []
  return {
    drops,
    llm: undefined,
    drop(item, reason, detail) {
      drops.push({reason, detail, item})
      return []
    },
    log: silentLog,
    stages: {},
    seed: 'test',
    now: () => 0,
    signal: new AbortController().signal,
    directory: '/nonexistent',
  }
}

export async function* stream<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

export function unpairedReply(over: Partial<UnpairedReply> = {}): UnpairedReply {
  const {task, prompt, origin} = pair()
  return {...side(), task, prompt, origin, stages: {unpaired: 1}, ...over}
}

export function unpairedRow(record: UnpairedReply): SplitRow {
  return {config: 'kto', id: contentId(record), split: 'train', record}
}

export function modelledCost(microseconds: number): ModelledCost {
  const none = {copiesIn: 0, copiesOut: 0, burstsIn: 0, burstsOut: 0, vectorInstructions: 0, vectorRepeats: 0}
  return {
    microseconds,
    launchMicroseconds: 20,
    pipes: {MTE2: microseconds, V: 1, S: 0, MTE3: 1},
    bottleneck: 'MTE2',
    overlap: 'full',
    cores: 8,
    blockDim: 8,
    readBytes: 4096,
    writtenBytes: 4096,
    work: {...none, scalarAccesses: 0, waits: 0, drains: 0, tiles: 1},
  }
}

export function optimisationPair(over: Partial<OptimisationPair> = {}): OptimisationPair {
  const {task, prompt, origin} = pair()
  const plain = kernelText.replace('op.Process();', 'op.ProcessPlainly();')
  const slower = side({
    reasoning: '',
    answer: `\`\`\`cpp\n${plain}\n\`\`\``,
    files: [{path: 'op_kernel/scale_custom.cpp', text: plain}],
    sampler: {kind: 'rewound', steps: ['one-core']},
  })
  return {
    kind: 'pair',
    task,
    prompt,
    chosen: {...side({reasoning: ''}), cost: modelledCost(4)},
    rejected: {...slower, cost: modelledCost(10)},
    sizes: 'shape [8]',
    margin: 2.5,
    step: 'one-core',
    origin,
    stages: {'rewound-pairs': 1},
    ...over,
  }
}

export function optimisationRow(record: OptimisationPair): SplitRow {
  return {config: 'optimisation', id: contentId(record), split: 'train', record}
}
