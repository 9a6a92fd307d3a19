import {join} from 'node:path'
import {CotSample} from '../../datasets/schema/sample.ts'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'

const given: Stage<CotSample, CotSample> = {
  name: 'given',
  version: 1,
  input: CotSample,
  output: CotSample,
  run: each((record) => [record]),
}

/** A finished run below `out` that samples went through. */
export function sampleRun(
  out: string,
  recipe: string,
  samples: readonly CotSample[],
  gates: readonly Stage<CotSample, CotSample>[] = [],
  config: unknown = undefined,
): Promise<RunRecord> {
  let pipeline = Pipeline.from(recipe, samples, given)
  for (const gate of gates) pipeline = pipeline.via(gate)
  return runPipeline(requestOf(pipeline, out, config))
}

/** A run of a pipeline below `out`, without a model. */
export function requestOf(pipeline: Pipeline<unknown>, out: string, config: unknown = undefined) {
  return {
    pipeline,
    config,
    directory: join(out, pipeline.name),
    model: () => undefined,
    seed: 'test',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  }
}
