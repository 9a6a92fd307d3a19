import type {DescribedSource} from '../../../datasets/schema/code-facts.ts'
import {apiRequest} from './api-request.ts'
import {definitionRequest} from './definition-request.ts'
import {hostRequest} from './host-request.ts'
import {inferenceRequest} from './inference-request.ts'
import {kernelRequest} from './kernel-request.ts'
import {libraryComments, libraryRequest} from './library-request.ts'
import type {Voice} from '../../../datasets/voice.ts'

/** The request of which the file is the answer. */
export function requestOf(source: DescribedSource, voice: Voice): string {
  const {described, ran} = source
  switch (described.role) {
    case 'kernel':
      return kernelRequest(source, described.facts, voice, ran)
    case 'tiling':
      return hostRequest(source, described.facts, voice, ran)
    case 'definition':
      return definitionRequest(source, described.facts, voice)
    case 'infer-shape':
      return inferenceRequest(source, described.facts, voice)
    case 'api':
      return apiRequest(source, described.facts, voice)
    case 'library':
      return libraryRequest(source, described.facts, voice)
  }
}

/** The authors' descriptions of the file's purpose, for choosing a language. */
export function writtenPurpose({purpose, described}: DescribedSource): string[] {
  const documented = purpose ? [purpose.text, ...purpose.formulas] : []
  const comments = described.role === 'library' ? libraryComments(described.facts) : []
  return [...documented, ...comments].filter((one) => one !== '')
}
