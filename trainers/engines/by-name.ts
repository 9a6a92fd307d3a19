import {PipelineError} from '../../engine/errors.ts'
import type {Engine} from './engine.ts'
import {llamaFactory} from './llama-factory.ts'
import {mindspeedLlm} from './mindspeed-llm.ts'
import {msSwift} from './ms-swift.ts'
import {trl} from './trl.ts'

const engines: readonly Engine[] = [trl, mindspeedLlm, llamaFactory, msSwift]

/** @throws PipelineError `config-invalid` for a name that is invalid in a specification, but possible in a record */
export function engineByName(name: string): Engine {
  const found = engines.find((engine) => engine.name === name)
  if (found) return found
  throw new PipelineError('config-invalid', `There is no trainer ${name}.`, {
    fix: `There are ${engines.map((engine) => engine.name).join(', ')}.`,
  })
}
