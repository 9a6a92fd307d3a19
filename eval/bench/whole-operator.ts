import {extractFiles} from '../../datasets/operator-reply.ts'
import {operatorPaths, operatorRequest, requestValues} from '../../datasets/operator-request.ts'
import type {Mode} from './benchmark.ts'

/** Tiling data, host and kernel, requested and parsed as in training: for benchmarks without their own request. */
export const wholeOperator: Mode = {
  prompt: operatorRequest.en,
  values: requestValues,
  paths: operatorPaths,
  read: ({text}, paths) => extractFiles(text, paths),
}
