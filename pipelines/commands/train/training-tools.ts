import {runCommand} from '../../../engine/subprocess.ts'
import type {Finding} from '../machine-finding.ts'

/** Packages by the trainer's name in specifications. */
const trainers: Readonly<Record<string, string>> = {
  trl: 'trl',
  'llama-factory': 'llamafactory',
  'ms-swift': 'ms-swift',
  'mindspeed-llm': 'mindspeed',
}

const asked = `
import json, sys
from importlib import metadata
found = {}
for name in sys.argv[1:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
`

type Environment = Readonly<Record<string, string | undefined>>

/** Which trainers and schedulers are installed. None is needed before a job is started. */
export async function trainingTools(python: string, env: Environment): Promise<Finding[]> {
  return [await trainersIn(python), await slurm(env), await kubernetes(env)]
}

async function trainersIn(python: string): Promise<Finding> {
  const what = 'trainers'
  const cost = 'none for the data set; `ascend-cot train` cannot start jobs on this machine'
  const answer = await runCommand(python, ['-c', asked, ...Object.values(trainers)], {timeoutSeconds: 60}).catch(
    () => undefined,
  )
  if (answer?.code !== 0) {
    const fix = 'Pass the interpreter of an environment with a trainer: --python.'
    return {what, state: 'limited', detail: `${python} does not run`, cost, fix}
  }
  const versions = JSON.parse(answer.stdout) as Record<string, string>
  const found = Object.entries(trainers).flatMap(([name, of]) => (versions[of] ? [`${name} ${versions[of]}`] : []))
  if (found.length > 0) return {what, state: 'good', detail: `${found.join(', ')} in ${python}`, cost: '', fix: ''}
  const detail = `${python} has no trainer (${Object.keys(trainers).join(', ')})`
  const install = `Install one where you train, each in its own environment (${python} -m pip install trl)`
  const fix = `${install}, or pass its interpreter with --python.`
  return {what, state: 'limited', detail, cost, fix}
}

async function slurm(env: Environment): Promise<Finding> {
  const answer = await ask('sinfo', ['--noheader', '--format=%P %D %T'], env)
  if (answer === undefined) return absent('slurm', 'sbatch')
  if (answer.code === 0) {
    const partitions = answer.stdout.trim().split('\n').filter(Boolean).join('; ')
    return {what: 'slurm', state: 'good', detail: partitions || 'no partition', cost: '', fix: ''}
  }
  return silent('slurm', answer.stderr, 'Check with `sinfo`; SLURM_CONF selects the cluster.')
}

async function kubernetes(env: Environment): Promise<Finding> {
  const answer = await ask('kubectl', ['version', '-o', 'json', '--request-timeout=10s'], env)
  if (answer === undefined) return absent('kubernetes', 'kubectl')
  const server =
    answer.code === 0 ? /"serverVersion"[\s\S]*?"gitVersion": *"([^"]+)"/.exec(answer.stdout)?.[1] : undefined
  if (server !== undefined) return {what: 'kubernetes', state: 'good', detail: `cluster ${server}`, cost: '', fix: ''}
  return silent('kubernetes', answer.stderr, 'Check with `kubectl cluster-info`; KUBECONFIG selects the cluster.')
}

async function ask(command: string, args: readonly string[], env: Environment) {
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return runCommand(command, args, {env: given, timeoutSeconds: 20}).catch(() => undefined)
}

function absent(what: string, command: string): Finding {
  const cost = `none, unless jobs use backend.kind=${what}`
  return {what, state: 'limited', detail: `no ${command}`, cost, fix: `Install ${command} where you need it.`}
}

function silent(what: string, stderr: string, fix: string): Finding {
  const why = stderr.trim().split('\n').at(-1) ?? ''
  const cost = `jobs with backend.kind=${what} cannot be started`
  return {
    what,
    state: 'limited',
    detail: `no cluster answers: ${why.slice(0, 120) || 'no message'}`,
    cost,
    fix,
  }
}
