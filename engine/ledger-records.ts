import type {Envelope} from './ids.ts'

export interface Drop {
  reason: string
  detail: string
}

export interface Failure {
  code: string
  message: string
  fix: string
}

/** What became of one record in one stage. A record may yield outputs and still have parts of it dropped. */
export interface Outcome {
  outputs: Envelope[]
  drops: Drop[]
  failure?: Failure
}

/** Where an id was met: as the input of a stage, or among a stage's outputs. */
export interface Sighting extends Outcome {
  stage: string
  input: string
}
