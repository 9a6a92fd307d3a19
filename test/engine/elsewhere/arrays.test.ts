import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Job} from 'kubernetes-models/batch/v1/Job'
import {parse, stringify} from 'yaml'
import {describe, expect, test} from 'vitest'
import {indexedJob, kubernetesJob} from '../../../engine/elsewhere/kubernetes-job.ts'
import {slurmArray} from '../../../engine/elsewhere/slurm-array.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

/** Programs on a PATH of their own; each notes its arguments. */
async function programs(scripts: Record<string, string>) {
  const folder = await temporaryFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/bash\necho "$@" >> ${folder}/${name}.asked\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const asked = (name: string) =>
    readFileSync(join(folder, `${name}.asked`), 'utf8')
      .trim()
      .split('\n')
  return {folder, asked, env: {PATH: `${bin}:/usr/bin:/bin`}}
}

describe('a Slurm array', () => {
  const slurm = {
    name: 'ascend-cot-judge',
    tasks: 64,
    options: ['--partition=cpu'],
    line: 'exec worker --index "$INDEX"',
  }

  test('has a task for each share, below the usual size of an array', async () => {
    const {folder, asked, env} = await programs({sbatch: 'echo 7'})
    const array = slurmArray({...slurm, folder: join(folder, 'a b'), env})
    expect(await array.submit([0, 1, 2, 5, 999, 1000, 1003])).toEqual(['7+0', '7+1000'])
    expect(asked('sbatch')).toHaveLength(2)
    const script = readFileSync(join(folder, 'a b', 'array-1000.sbatch'), 'utf8')
    expect(script).toContain('#SBATCH --array=0,3%64\n#SBATCH --requeue\n')
    expect(script).toContain('#SBATCH --partition=cpu\nINDEX=$((1000 + SLURM_ARRAY_TASK_ID))\nexec worker')
    expect(script).toContain(`--output="${folder}/a b/log"/1000+%a.txt`)
    expect(readFileSync(join(folder, 'a b', 'array-0.sbatch'), 'utf8')).toContain('--array=0-2,5,999%64')
  })

  test('refused by the cluster is an error with its words', async () => {
    const {folder, env} = await programs({sbatch: 'echo "sbatch: error: invalid partition specified: cpu" >&2; exit 1'})
    await expect(slurmArray({...slurm, folder, env}).submit([0])).rejects.toThrow('invalid partition specified: cpu')
  })

  test('accepted without a number is an error', async () => {
    const {folder, env} = await programs({sbatch: 'echo "queued for later"'})
    await expect(slurmArray({...slurm, folder, env}).submit([0])).rejects.toThrow('queued for later')
  })

  test('is asked for in all its parts, and its log may be in a folder with a per cent sign', async () => {
    const {folder, env} = await programs({sbatch: 'echo 7', squeue: 'echo "$4 R" | tr 78 12'})
    const array = slurmArray({...slurm, folder: join(folder, 'a%j'), env})
    expect(await array.submit([0])).toEqual(['7+0'])
    expect(readFileSync(join(folder, 'a%j', 'array-0.sbatch'), 'utf8')).toContain(
      `--output=${folder}/a%%j/log/0+%a.txt`,
    )
    expect([...(await array.live(['7+0', '8+1000']))!]).toEqual([1, 1002])
  })

  test('an option of two lines is refused', async () => {
    const {folder, env} = await programs({sbatch: 'echo 7'})
    const array = slurmArray({...slurm, folder, env, options: ['--comment=a\n#SBATCH --wrap=b']})
    await expect(array.submit([0])).rejects.toThrow('several lines')
  })

  test.each<[string, string, number[] | undefined]>([
    ['says what waits and runs', 'printf "0 R\\n3 PD\\n12 CG\\n"', [1000, 1003, 1012]],
    ['no longer knows the job', 'echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1', []],
    ['has nothing of it left', 'true', []],
    ['does not answer', 'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1', undefined],
  ])('the queue %s', async (_, squeue, live) => {
    const {folder, asked, env} = await programs({squeue})
    const found = await slurmArray({...slurm, folder, env}).live(['7;big+1000'])
    expect(found && [...found]).toEqual(live)
    expect(asked('squeue')[0]).toBe('-M big -h -r -j 7 -o %K %t')
  })

  test('a missing Slurm is not an array that ended', async () => {
    const {folder} = await programs({})
    expect(await slurmArray({...slurm, folder, env: {PATH: '/nowhere'}}).live(['7+0'])).toBeUndefined()
  })

  test('is cancelled by its number', async () => {
    const {folder, asked, env} = await programs({scancel: 'true'})
    await slurmArray({...slurm, folder, env}).cancel(['7+0', '8;big+1000'])
    expect(asked('scancel')).toEqual(['7', '-M big 8'])
  })
})

describe('an Indexed Job', () => {
  const job = {name: 'ascend-cot-judge', namespace: 'lab', tasks: 8, image: 'registry/worker:1', line: 'exec worker'}
  const volumes = {'/shared': 'claim'}

  test('has the fields of batch/v1, and a share for each index', () => {
    const made = indexedJob({...job, folder: '/shared/x', volumes}, 'judge-1', [4, 9])
    expect(made).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {name: 'judge-1', namespace: 'lab', annotations: {'ascend-cot/shares': '4 9'}},
      spec: {completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 2},
    })
    const many = indexedJob({...job, folder: '/shared/x', volumes}, 'judge-1', [...Array(9).keys()])
    expect(many.spec).toMatchObject({completions: 9, parallelism: 8})
    const {spec} = made.spec.template
    expect(spec.restartPolicy).toBe('Never')
    expect(spec.volumes).toEqual([{name: 'claim-1', persistentVolumeClaim: {claimName: 'claim'}}])
    expect(spec.containers[0]!.volumeMounts).toEqual([{name: 'claim-1', mountPath: '/shared'}])
    expect(spec.containers[0]!.command.at(-1)).toBe('set -- 4 9; shift "$JOB_COMPLETION_INDEX"; INDEX=$1; exec worker')
  })

  type Manifest = ReturnType<typeof indexedJob>
  const faultOf = (made: object) => {
    try {
      new Job(made as never).validate()
      return undefined
    } catch (error) {
      return String(error)
    }
  }
  const spoilt: [string, (made: Manifest) => object][] = [
    ['a number as a text', (made) => ({...made, spec: {...made.spec, parallelism: '2'}})],
    ['no template', ({spec: {template: _, ...spec}, ...made}) => ({...made, spec})],
    ['a label that is no text', (made) => ({...made, metadata: {...made.metadata, labels: {a: 1}}})],
    [
      'a container without a name',
      (made) => ({...made, spec: {...made.spec, template: {spec: {containers: [{image: 'x'}]}}}}),
    ],
  ]

  test('is valid by the schema of Kubernetes, which sees faults', () => {
    const read = parse(stringify(indexedJob({...job, folder: '/shared/x', volumes}, 'judge-1', [4, 9]))) as Manifest
    expect([read.apiVersion, read.kind]).toEqual(['batch/v1', 'Job'])
    expect(faultOf(read)).toBeUndefined()
    for (const [what, spoil] of spoilt) expect(faultOf(spoil(read)), what).toMatch(/must/)
  })

  test('is created, and its indices are read back as shares', async () => {
    const status = {completedIndexes: '0', failedIndexes: '2-3'}
    const {folder, asked, env} = await programs({
      kubectl: `[ "$1" = create ] && cp "$3" ${'$0'}.yaml; [ "$1" = get ] && cat "$0.json"; exit 0`,
    })
    const array = kubernetesJob({...job, folder, volumes: {[folder]: 'claim'}, env})
    const [handle = ''] = await array.submit([5, 6, 7, 8, 9])
    expect(handle).toMatch(/^ascend-cot-judge-[0-9a-f]{8}$/)
    const manifest = parse(readFileSync(join(folder, 'bin', 'kubectl.yaml'), 'utf8')) as {metadata: object}
    writeFileSync(join(folder, 'bin', 'kubectl.json'), JSON.stringify({...manifest, status}))
    expect([...(await array.live([handle]))!]).toEqual([6, 9])
    expect(asked('kubectl').at(-1)).toBe(`get job ${handle} -n lab -o json`)
    for (const type of ['Failed', 'Complete']) {
      const ended = {...status, conditions: [{type, status: 'True'}]}
      writeFileSync(join(folder, 'bin', 'kubectl.json'), JSON.stringify({...manifest, status: ended}))
      expect([...(await array.live([handle]))!]).toEqual([])
    }
    await array.cancel([handle])
    expect(asked('kubectl').at(-1)).toBe(`delete job ${handle} -n lab --ignore-not-found --wait=false`)
  })

  test('that was deleted has ended', async () => {
    const kubectl = 'echo \'Error from server (NotFound): jobs.batch "x" not found\' >&2; exit 1'
    const {folder, env} = await programs({kubectl})
    const array = kubernetesJob({...job, folder, volumes: {[folder]: 'claim'}, env})
    expect([...(await array.live(['x']))!]).toEqual([])
  })

  test('a cluster that does not answer is not a job that ended', async () => {
    const {folder, env} = await programs({kubectl: 'echo "connection refused" >&2; exit 1'})
    const array = kubernetesJob({...job, folder, volumes: {[folder]: 'claim'}, env})
    expect(await array.live(['x'])).toBeUndefined()
    await expect(array.submit([0])).rejects.toThrow('connection refused')
    expect(existsSync(join(folder, 'shares'))).toBe(false)
  })

  test('needs a volume with the folder', () => {
    expect(() => kubernetesJob({...job, folder: '/shared2/x', volumes, env: {}})).toThrow('mount no volume')
  })
})
