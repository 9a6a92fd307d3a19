import {homedir} from 'node:os'
import {join} from 'node:path'
import {readFile} from 'node:fs/promises'
import {walk} from '../../../engine/files.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {backendByKind} from '../../../trainers/backends/by-kind.ts'
import {engineByName} from '../../../trainers/engines/by-name.ts'
import type {RenderedFile} from '../../../trainers/engines/engine.ts'
import type {EarlierJob} from '../../../trainers/find-model.ts'
import {findJob, jobsFolder, lastCheckpoint} from '../../../trainers/job-folder.ts'
import {makePlan, writeRows, type PlannedJob} from '../../../trainers/make-plan.ts'
import {findingsPage} from '../../../trainers/preflight/findings-page.ts'
import {preflight} from '../../../trainers/preflight/preflight.ts'
import {readSpec} from '../../../trainers/read-spec.ts'
import type {JobSpec} from '../../../trainers/spec.ts'
import {ownRoot} from '../../../engine/own-package.ts'
import {workspaceWorld, type World} from '../world.ts'
import {askTrainer, factsOf} from './job-facts.ts'
import {folderOf, storedSpec} from './look-at-jobs.ts'
import type {CheckedPlan, Resumed, TrainRooms} from './train-rooms.ts'

interface Places {
  out: string
  /** Files downloaded from the Hub are kept below it. */
  cache: string
}

/** The training modules of this package, joined. */
export function ownRooms({out, cache}: Places, world: World): TrainRooms {
  const {hub, say} = workspaceWorld(world)
  const planWorld = {
    hub,
    say,
    cache,
    jobs: jobsFolder(out),
    modelCache: modelCache(world.env),
    earlierJob: (idOrName: string) => earlierJob(out, idOrName),
  }
  const rooms: TrainRooms = {
    readSpec: (given, set) => readSpec(given, set, join(out, 'dataset')),
    engine: engineByName,
    backend: (kind) => backendByKind(kind, world.env),
    async render(plan) {
      const judgeClient = plan.spec.method === 'grpo' ? await judgeClientFiles() : undefined
      return engineByName(plan.spec.engine).render(plan, judgeClient === undefined ? {} : {judgeClient})
    },
    async check(spec, resumed) {
      const planned = await makePlan(spec, planWorld, resumed)
      return checked(planned, spec, resumed, rooms)
    },
  }
  return rooms
}

async function checked(
  {plan, ...planned}: PlannedJob,
  spec: JobSpec,
  resumed: Resumed | null,
  rooms: TrainRooms,
): Promise<CheckedPlan> {
  const probe = await askTrainer(spec)
  // A resumed job keeps the model that it started from, whatever the job that made that model has trained since.
  const model = resumed ? {...plan.model, ...resumed.base} : plan.model
  const known = {...planned, plan: {...plan, model, versions: probe?.versions ?? {}}}
  const facts = await factsOf(known.plan, {probe, rendering: await rooms.render(known.plan), before: resumed?.before})
  const found = await preflight(known, facts)
  return {
    plan: known.plan,
    parent: planned.model.parent?.id ?? null,
    findings: found.findings,
    cost: found.cost,
    page: (width) => findingsPage(found, width),
    writeRows: () => writeRows(known),
  }
}

/** Where the Hub's own tools keep models. */
function modelCache({HF_HUB_CACHE, HF_HOME}: World['env']): string {
  return HF_HUB_CACHE ?? join(HF_HOME ?? join(homedir(), '.cache', 'huggingface'), 'hub')
}

async function earlierJob(out: string, idOrName: string): Promise<EarlierJob | undefined> {
  const record = await findJob(out, idOrName).catch((error: unknown) => {
    if (error instanceof PipelineError && error.code === 'job-missing') return undefined
    throw error
  })
  if (!record) return undefined
  const folder = folderOf(out, record)
  const {path, adapter} = record.base
  const checkpoint = await lastCheckpoint(record.output, engineByName(record.engine))
  return {id: record.id, folder, spec: storedSpec(folder), model: {path, adapter}, checkpoint}
}

/** The Python package by which a trainer asks the judge's service. */
async function judgeClientFiles(): Promise<RenderedFile[]> {
  const [root, name] = [join(ownRoot, 'eval/serve/python'), 'ascend_cot_judge']
  const files: RenderedFile[] = []
  for await (const path of walk(join(root, name))) {
    if (path.endsWith('.py'))
      files.push({path: `${name}/${path}`, text: await readFile(join(root, name, path), 'utf8')})
  }
  return files
}
