import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import type {CheckedPlan, TrainRooms} from '../../pipelines/commands/train/train-rooms.ts'
import {kubernetesBackend} from '../../trainers/backends/kubernetes.ts'
import {localBackend} from '../../trainers/backends/local.ts'
import {slurmBackend} from '../../trainers/backends/slurm.ts'
import type {Engine} from '../../trainers/engines/engine.ts'
import {jobsFolder} from '../../trainers/job-folder.ts'
import type {JobPlan} from '../../trainers/plan.ts'
import {planOf, renderingOf, specOf} from './job-attempt.ts'

/** Reads and keeps checkpoints as the trainers of transformers do; its lines say the step as the epoch. */
export const standInEngine: Pick<Engine, 'progressOf' | 'lastCheckpoint'> = {
  progressOf(line) {
    const [, loss, step] = /^\{'loss': '([^']+)'.*'epoch': '(\d+)'/.exec(line) ?? []
    if (step === undefined) return null
    const value = Number(loss)
    return {
      step: Number(step),
      total: 0,
      loss: Number.isFinite(value) ? value : null,
      learningRate: 1e-5,
      gradientNorm: 1.5,
      metrics: {},
    }
  },
  lastCheckpoint(entries) {
    const steps = entries.flatMap(({path}) => /^checkpoint-(\d+)\/trainer_state\.json$/.exec(path)?.[1] ?? [])
    const last = Math.max(0, ...steps.map(Number))
    return last === 0 ? null : `checkpoint-${last}`
  },
}

interface StandIn {
  out: string
  milliseconds?: number
  every?: number
  fault?: string
  findings?: CheckedPlan['findings']
}

/** Rooms in which the trainer is the stand-in; a specification is `{…}` of what differs from the usual one. */
export function standInRooms({out, milliseconds = 20, every = 2, fault = '', findings = []}: StandIn): TrainRooms {
  const specs = new Map<string, Record<string, unknown>>()
  return {
    async readSpec(given, set) {
      const changes = Object.fromEntries(Object.entries(set).map(([key, value]) => [key, JSON.parse(value)]))
      if (given.startsWith('{')) return specOf({...JSON.parse(given), ...changes})
      const known = specs.get(given)
      if (!known)
        throw new PipelineError('config-invalid', `There is no spec ${given}.`, {fix: 'Name another.', scope: 'record'})
      return specOf({...known, ...changes})
    },
    async check(spec, resumed) {
      const steps = spec.hyperparameters.steps?.value ?? 10
      const id = `${spec.name}-${contentId({hyperparameters: spec.hyperparameters}).slice(0, 8)}`
      const made = planOf(join(jobsFolder(out), id), {steps})
      const plan: JobPlan = resumed
        ? {...made, spec, id: resumed.id, folder: resumed.folder, output: resumed.output, resume: resumed.checkpoint}
        : {...made, spec, id}
      specs.set(join(plan.folder, 'spec.yaml'), JSON.parse(JSON.stringify(spec)) as Record<string, unknown>)
      return {
        plan,
        parent: null,
        findings,
        cost: {tokens: 1000, memoryBytes: null, hours: null},
        page: () => findings.map(({code, message}) => `${code}: ${message}`).join('\n') || '0 errors',
        writeRows: async () => void mkdirSync(join(plan.folder, 'data'), {recursive: true}),
      }
    },
    render: async (plan) => renderingOf(plan, {milliseconds, every, fault}),
    engine: () => standInEngine,
    backend(kind) {
      if (kind === 'slurm') return slurmBackend(process.env)
      return kind === 'kubernetes' ? kubernetesBackend(process.env) : localBackend(process.env, 3000)
    },
  }
}
