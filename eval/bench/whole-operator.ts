import {extractFiles} from '../../datasets/operator-reply.ts'
import {operatorPaths, operatorRequest, requestValues} from '../../datasets/operator-request.ts'
import type {Mode} from './benchmark.ts'

/**
 * Tiling data, host and kernel, asked for and read as in training: for benchmarks that have no request of their own.
 */
export const wholeOperator: Mode = {
  prompt: operatorRequest.en,
  values: requestValues,
  paths: operatorPaths,
  read: ({text}, paths) => extractFiles(text, paths),
}
