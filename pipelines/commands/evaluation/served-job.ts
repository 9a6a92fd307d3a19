import {basename, join, resolve} from 'node:path'
import {makeFolder} from '../../../engine/files.ts'
import {TeacherProfile} from '../../../engine/llm/profile.ts'
import {serveModel} from '../../../trainers/serving/serve-model.ts'
import type {ServerName} from '../../../trainers/serving/server.ts'
import type {JobSpec} from '../../../trainers/spec.ts'
import type {Config} from '../../workspace/config.ts'
import {jobCheckpoint} from '../train/job-checkpoint.ts'
import {servingOf, startSeconds} from '../serve-checkpoint.ts'
import type {World} from '../world.ts'

const servers: Readonly<Record<JobSpec['hardware']['accelerator'], ServerName>> = {
  ascend: 'vllm-ascend',
  nvidia: 'vllm',
  cpu: 'transformers',
}

/**
 * Serves a training job's model while `use` runs, as the teacher profile `job:<id>` with the full id; sampling follows
 * `teachers.candidates` if configured.
 * @throws PipelineError `job-missing`, or `input-missing` when it has no checkpoint yet
 */
export async function withServedJob<T>(
  candidates: string,
  {config, world}: {config: Config; world: World},
  use: (config: Config, candidates: string) => Promise<T>,
): Promise<T> {
  const {record, spec, checkpoint} = await jobCheckpoint(candidates, config.out)
  const {server = servers[spec.hardware.accelerator], python = spec.environment.python, ...given} = config.serving
  const name = `${record.id}-${basename(checkpoint)}`
  const serving = await servingOf({...given, checkpoint, server, python, host: '127.0.0.1', name})
  const log = join(folderOf(config), `${name}.log`)
  world.terminal.say(`starting ${server} for ${name}; it writes to ${log}`)
  const served = await serveModel({server, python, serving, env: world.env, log, startSeconds, signal: world.signal})
  try {
    const {apiKeyEnv: _, ...sampling} = config.teachers['candidates'] ?? {}
    const profile = TeacherProfile.parse({...sampling, model: served.model, baseUrl: served.baseUrl})
    const asked = `job:${record.id}`
    return await use({...config, teachers: {...config.teachers, [asked]: profile}}, asked)
  } finally {
    await served.close()
  }
}

function folderOf({out}: Config): string {
  const folder = join(resolve(out), 'serve')
  makeFolder(folder)
  return folder
}
