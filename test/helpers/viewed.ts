import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import parquet from '../../datasets/parquet/parquet.ts'
import type {Config, SplitRow} from '../../datasets/schema/export.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {qwen3, type ChatFormat} from '../../datasets/tokens/chat-format.ts'
import {whatIsIn} from '../../pipelines/view/open-folder.ts'
import type {Drawing} from '../../pipelines/view/timelines.ts'
import {startViewer} from '../../pipelines/view/viewer.ts'
import {
  collect,
  dpoRow,
  kernelSample,
  kernelText,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../datasets/rows.ts'

/** What a page of a source or a model may hold, and must not do. */
export const hostile = {
  script: '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1">',
  ansi: '\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  reversed: 'if (isAdmin) \u202e{ begin\u2066 access \u2069',
  long: `line ${'x'.repeat(5_000_000)}`,
}

const banner = (path: string, code: string) =>
  `================== ${path} ==================\n\`\`\`cpp\n${code}\n\`\`\``

const broken = kernelText.replace('op.Process();', 'op.Proces();')

/** A correction: the prompt has the wrong code, the answer the right one. */
export const correction = kernelSample({
  kind: 'api-correction',
  prompt: `It does not compile.\n\n${banner('op_kernel/scale_custom.cpp', broken)}\n\nWhat is wrong?`,
  answer: banner('op_kernel/scale_custom.cpp', kernelText),
  origin: {...kernelSample().origin, path: 'kernels/scale_custom/wrong.cpp'},
  failed: {
    ...{outcome: 'compile-failed', what: "no member named 'Proces'", class: 'api-signature-and-overload'},
    ...{signature: "no member named '…'", sampler: {kind: 'mutation', mutation: 'misspell', detail: ''}, rounds: 0},
  },
  decisions: [
    {
      ...{topic: 'depth', situation: 'double', subject: 'BUFFER_NUM', values: {depth: 2}},
      because: [
        {kind: 'fact', code: 'pipe.InitBuffer(queue, 2, 256)'},
        {
          ...{kind: 'counterfactual', change: 'single-buffer', subject: 'BUFFER_NUM', path: 'op_kernel/a.cpp', line: 3},
          ...{before: 'BUFFER_NUM = 2', after: 'BUFFER_NUM = 1', values: {}},
          observed: {
            ...{
              outcome: 'wrong',
              inputs: 'call',
              output: 'y',
              index: 7,
              seen: 1,
              expected: 2,
              differ: 3,
              of: 64,
              at: [],
            },
          },
        },
        {
          ...{kind: 'counterfactual', change: 'smaller-tiles', subject: 'tile', path: 'op_host/a.cpp', line: 5},
          ...{before: '64', after: '32', values: {}, observed: {outcome: 'equal', large: false}},
          modelled: {before: 4.2, after: 5.9, elements: 261_120},
        },
      ],
    },
  ],
})

/** Samples in the order of their file: pages, a kernel, a correction, and one for each hostile text. */
export const samples: readonly CotSample[] = [
  ...Array.from({length: 60}, (_, at) =>
    sample({
      prompt: `What does page ${at} say about DataCopy?`,
      language: at % 3 === 0 ? 'en' : 'zh',
      origin: {...sample().origin, path: `docs/page-${String(at).padStart(2, '0')}.html`},
    }),
  ),
  kernelSample(),
  correction,
  ...Object.entries(hostile).map(([name, text]) =>
    kernelSample({
      prompt: `A ${name} text. ${text}`,
      reasoning: text,
      answer: `${text}\n\n\`\`\`cpp\n${text}\n\`\`\``,
      files: [],
      proof: 'parsed',
      origin: {...kernelSample().origin, path: `kernels/hostile/${name}.cpp`},
    }),
  ),
]

const mismatched = pair({
  task: 'Second',
  rejected: {
    ...pair().rejected,
    label: 'orange',
    verdict: {
      outcome: 'mismatched',
      executor: pair().rejected.verdict.executor,
      cases: [
        {
          ...{case: '4', literal: false, hardened: false, worstAbsolute: 1, worstRelative: 1, reason: 'y differs'},
          fault: {kind: 'element', output: 'y', index: 12, seen: 0.25, expected: 3},
        },
      ],
    },
  },
})

/** Compiler messages of a pair name files of the candidate. */
const uncompiled = pair()
if (uncompiled.rejected.verdict.outcome === 'compile-failed')
  for (const one of uncompiled.rejected.verdict.diagnostics) one.file = 'op_kernel/scale_custom.cpp'

/** A line of megabytes takes minutes to count. */
const format: ChatFormat = {...qwen3, tokens: (prompt, reply) => (prompt.length + reply.length) >> 2}

export async function writeDataset(directory: string): Promise<void> {
  const write = (config: Config, rows: SplitRow[]) =>
    collect(parquet({config, directory, format}).run(stream(rows), recordingContext()))
  await write(
    'sft',
    samples.map((one, at) => sftRow(one, at === 5 ? 'test' : 'train')),
  )
  await write('dpo', [dpoRow(uncompiled), dpoRow(mismatched)])
}

/** Of pages that show no timeline. */
export const noDrawing: Drawing = {
  ...{cache: '', seed: 's', signal: new AbortController().signal},
  ...{executor: () => Promise.reject(new Error('no executor')), tasks: () => Promise.resolve([])},
}

/** The viewer on a folder, until the test is over. @returns its address, with the token */
export async function viewed(folder: string, drawing: Partial<Drawing> = {}): Promise<string> {
  const viewer = await startViewer({
    ...{seen: whatIsIn(folder), port: 0, reader: 'ann', now: () => 0},
    drawing: {...noDrawing, cache: join(folder, 'cache'), ...drawing},
  })
  onTestFinished(viewer.close)
  return viewer.address
}
