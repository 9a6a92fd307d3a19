import {operatorPaths, operatorRequest, requestValues} from '../../../datasets/operator-request.ts'
import {loadPrompt} from '../../../engine/prompt.ts'
import {loadTasks} from '../../tasks/operator-tasks.ts'
import type {Mode, OperatorBenchmark} from '../benchmark.ts'
import {adaptations} from './adaptations.ts'
import {damagedAnswers} from './damaged-answers.ts'
import {cutAfterWorkspace, readBanners, readKernel} from './reply.ts'

/** Source: the checkout at f238a63: each binding differs from its definition in names or order. */
const unpassable = ['MseLossGradV2', 'BatchNormV3', 'LayerNormV4', 'TopKV3', 'GatherV3']

const kernelOnly: Mode = {
  prompt: loadPrompt(new URL('kernel-only.md', import.meta.url)),
  chinese: loadPrompt(new URL('kernel-only.zh.md', import.meta.url)),
  values: (task) => {
    const values = requestValues(task)
    return {...values, kernelTemplate: cutAfterWorkspace(values.kernelTemplate)}
  },
  paths: ({kernelTemplate}) => [kernelTemplate.path],
  read: readKernel,
  // Its rules say so, and its constants are in the kernel.
  servesCasesOnly: true,
  notes: [
    [
      `In kernel-only mode as published, ${unpassable.length} tasks cannot be passed as they are wired,`,
      'since their bindings call another interface than their definitions generate:',
      `${unpassable.join(', ')}.`,
    ].join(' '),
  ],
}

/** The whole operator: tiling data, host and kernel. */
const full: Mode = {
  prompt: operatorRequest.en,
  chinese: operatorRequest.zh,
  values: requestValues,
  paths: operatorPaths,
  read: readBanners,
}

const benchmark: OperatorBenchmark = {
  title: 'NPUKernelBench',
  load: loadTasks,
  modes: {'kernel-only': kernelOnly, full},
  taskTypes: [
    {name: 'L1 (simple)', levels: [1]},
    {name: 'L2/L3 (complex)', levels: [2, 3]},
  ],
  adaptations,
  knownFaults: new URL('known-faults.json', import.meta.url),
  damagedAnswers,
  undamaged: 'At commit f238a63 it is intact.',
}
export default benchmark
