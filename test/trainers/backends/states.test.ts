import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {leaveExitCode, markCancelled, recordedEnd, wasCancelled} from '../../../trainers/backends/exit-code.ts'
import {jobStatusOf, waitingPods} from '../../../trainers/backends/kubernetes.ts'
import {linesOf} from '../../../trainers/backends/log-file.ts'
import {quoted, shellWord} from '../../../trainers/backends/shell.ts'
import {slurmStatus} from '../../../trainers/backends/slurm.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

describe('what Slurm says of a job', () => {
  test.each<[string, object, string | undefined, string]>([
    ['PENDING', {Reason: 'Resources'}, 'queued', 'waits for Resources'],
    ['PENDING', {Reason: 'None'}, 'queued', ''],
    ['PENDING', {}, 'queued', ''],
    ['PENDING', {Reason: 'JobHeldUser'}, 'queued', 'held (JobHeldUser): release it with `scontrol release`'],
    ['PENDING', {Reason: 'Priority', Restarts: '1'}, 'queued', 'waits for Priority, started again 1 time'],
    ['CONFIGURING', {}, 'queued', ''],
    ['REQUEUED', {}, 'queued', ''],
    ['SUSPENDED', {}, 'queued', 'suspended'],
    ['RUNNING', {Reason: 'x', ExitCode: '0:0', Restarts: '2'}, 'running', 'started again 2 times'],
    ['RUNNING+', {}, 'running', ''],
    ['COMPLETING', {}, 'running', ''],
    ['STOPPED', {}, 'running', ''],
    ['COMPLETED', {ExitCode: '0:0'}, 'succeeded', ''],
    ['CANCELLED by 1000', {ExitCode: '0:15'}, 'cancelled', ''],
    ['FAILED', {ExitCode: '1:0'}, 'failed', 'exit code 1'],
    ['FAILED', {ExitCode: '0:9'}, 'failed', 'signal 9'],
    ['FAILED', {ExitCode: '2:9'}, 'failed', 'exit code 2, signal 9'],
    ['FAILED', {}, 'failed', ''],
    ['FAILED', {ExitCode: ''}, 'failed', ''],
    [
      'TIMEOUT',
      {ExitCode: '0:15'},
      'failed',
      'the time limit was reached; raise backend.time, or resume the job, signal 15',
    ],
    ['OUT_OF_MEMORY', {ExitCode: '0:125'}, 'failed', 'out of memory, signal 125'],
    ['NODE_FAIL', {ExitCode: '1:0'}, 'failed', 'a node failed, exit code 1'],
    ['PREEMPTED', {}, 'failed', 'it was preempted by another job'],
    ['SOMETHING_NEW', {}, undefined, ''],
    ['', {}, undefined, ''],
  ])('%s %j', (state, more, expected, detail) => {
    const status = slurmStatus({JobState: state, ...more}, false)
    expect(status).toEqual(expected === undefined ? undefined : {state: expected, detail})
  })

  test('what we cancelled did not fail', () => {
    expect(slurmStatus({JobState: 'FAILED', ExitCode: '1:0'}, true)).toEqual({state: 'cancelled', detail: ''})
    expect(slurmStatus({JobState: 'RUNNING'}, true)).toEqual({state: 'running', detail: ''})
    expect(slurmStatus({JobState: 'COMPLETED'}, true)).toEqual({state: 'succeeded', detail: ''})
  })
})

describe('what Kubernetes says of a job', () => {
  const volcano = (phase: string, more: object = {}, retryCount?: number) =>
    jobStatusOf({status: {state: {phase, ...more}, ...(retryCount === undefined ? {} : {retryCount})}})
  test.each([
    ['Pending', 'queued'],
    ['Restarting', 'queued'],
    ['Running', 'running'],
    ['Completing', 'running'],
    ['Completed', 'succeeded'],
    ['Aborting', 'running'],
    ['Terminating', 'running'],
    ['Aborted', 'failed'],
    ['Terminated', 'failed'],
    ['Failed', 'failed'],
    ['Unheard', 'queued'],
  ])('Volcano’s %s is %s', (phase, state) => {
    expect(volcano(phase).state).toBe(state)
  })
  test('reasons, messages and restarts', () => {
    expect(volcano('Failed', {reason: 'Evicted', message: 'disk is full'}).detail).toBe('Evicted: disk is full')
    expect(volcano('Failed', {reason: 'Evicted'}).detail).toBe('Evicted')
    expect(volcano('Failed', {message: 'disk is full'}).detail).toBe('disk is full')
    expect(volcano('Failed', {reason: 'same', message: 'same'}).detail).toBe('same')
    expect(volcano('Running', {reason: 'Evicted'}).detail).toBe('')
    expect(volcano('Running', {}, 1).detail).toBe('restarted 1 times')
    expect(volcano('Failed', {reason: 'Evicted'}, 3).detail).toBe('Evicted, restarted 3 times')
    expect(volcano('Failed', {}, 0).detail).toBe('')
    expect(jobStatusOf({})).toEqual({state: 'queued', detail: ''})
    expect(jobStatusOf({status: {}})).toEqual({state: 'queued', detail: ''})
  })
  test('of conditions the newest counts that holds', () => {
    const of = (...conditions: [string, string, string?, string?][]) =>
      jobStatusOf({
        status: {
          conditions: conditions.map(([type, status, reason, message]) => ({
            type,
            status,
            ...(reason === undefined ? {} : {reason}),
            ...(message === undefined ? {} : {message}),
          })),
        },
      })
    expect(of(['Created', 'True', 'JobCreated', 'it is there'])).toEqual({
      state: 'queued',
      detail: 'JobCreated: it is there',
    })
    expect(of(['Created', 'True'], ['Running', 'True', 'JobRunning'])).toEqual({state: 'running', detail: ''})
    expect(of(['Created', 'True'], ['Running', 'False'], ['Failed', 'True', 'BackoffLimit'])).toEqual({
      state: 'failed',
      detail: 'BackoffLimit',
    })
    expect(of(['Running', 'True'], ['Succeeded', 'False'])).toEqual({state: 'running', detail: ''})
    expect(of(['Running', 'True'], ['Succeeded', 'True', 'Done', 'done'])).toEqual({state: 'succeeded', detail: ''})
    expect(of(['Suspended', 'True'])).toEqual({state: 'queued', detail: ''})
    expect(of(['Queued', 'True'], ['Unheard', 'True'])).toEqual({state: 'queued', detail: ''})
    expect(of(['Unheard', 'True'])).toEqual({state: 'queued', detail: ''})
    expect(of(['Running', 'True'], ['Restarting', 'True', 'again'])).toEqual({state: 'queued', detail: 'again'})
  })
  test('why pods wait', () => {
    const pod = (name: string, conditions: object[], waiting: object[] = []) => ({
      metadata: {name},
      status: {conditions, containerStatuses: waiting.map((one) => ({state: {waiting: one}}))},
    })
    const list = {
      items: [
        pod('a', [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes'}]),
        pod(
          'b',
          [{type: 'PodScheduled', status: 'True', reason: 'Fine'}],
          [{reason: 'ImagePullBackOff', message: 'no'}],
        ),
        pod('c', [{type: 'Ready', status: 'False', reason: 'Other'}], [{reason: 'ContainerCreating'}, {}]),
        {metadata: {name: 'd'}},
        {metadata: {name: 'e'}, status: {conditions: null, containerStatuses: [{}, {state: {}}]}},
      ],
    }
    expect(waitingPods(list)).toEqual(['a: Unschedulable: 0/3 nodes', 'b: ImagePullBackOff: no'])
    expect(waitingPods({items: []})).toEqual([])
  })
})

describe('what a job’s script leaves', () => {
  test.each([
    [0, 'succeeded', ''],
    [1, 'failed', 'exit code 1'],
    [128, 'failed', 'exit code 128'],
    [129, 'failed', 'exit code 129: ended by signal 1'],
    [130, 'failed', 'exit code 130: ended by SIGINT'],
    [134, 'failed', 'exit code 134: ended by SIGABRT'],
    [135, 'failed', 'exit code 135: ended by SIGBUS'],
    [137, 'failed', 'exit code 137: ended by SIGKILL, typical of a machine out of memory'],
    [139, 'failed', 'exit code 139: ended by SIGSEGV'],
    [143, 'failed', 'exit code 143: ended by SIGTERM'],
  ])('exit code %d is %s', async (code, state, detail) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'exit-code'), `${code}\n`)
    expect(recordedEnd(folder)).toEqual({state, detail})
    await markCancelled(folder)
    expect(recordedEnd(folder)).toEqual(code === 0 ? {state, detail} : {state: 'cancelled', detail: ''})
  })
  test('nothing yet is no end', async () => {
    const folder = await temporaryFolder()
    expect(recordedEnd(folder)).toBeUndefined()
    expect(wasCancelled(folder)).toBe(false)
    await markCancelled(folder)
    expect(wasCancelled(folder)).toBe(true)
    expect(recordedEnd(folder)).toBeUndefined()
  })
  test('the code is written whole, whatever the folder is called', () => {
    expect(leaveExitCode("/jobs/it's one")).toBe(
      [
        `printf '\\n[ascend-cot] ended with exit code %s\\n' "$code"`,
        `printf '%s\\n' "$code" > '/jobs/it'\\''s one/exit-code'.tmp && ` +
          `mv '/jobs/it'\\''s one/exit-code'.tmp '/jobs/it'\\''s one/exit-code'`,
      ].join('\n'),
    )
  })
})

describe('lines of a log', () => {
  const lines = async (text: string | Buffer, from = 0) => {
    const path = join(await temporaryFolder(), 'log.txt')
    await writeFile(path, text)
    return (await linesOf(path, from)).map(({text: line, end}) => `${line}@${end}`)
  }
  test('are whole, and what a bar has drawn over is none', async () => {
    expect(await lines('one\ntwo\nthr')).toEqual(['one@4', 'two@8'])
    expect(await lines('one\ntwo\nthr', 4)).toEqual(['two@8'])
    expect(await lines('one\ntwo\n', 8)).toEqual([])
    expect(await lines('10 %\r50 %\r100 %\r\r\nnext \n\n')).toEqual(['100 %@18', 'next@24', '@25'])
    expect(await lines('')).toEqual([])
    expect(await linesOf('/nowhere/log.txt', 0)).toEqual([])
  })
  test('of a megabyte without an end are cut there', async () => {
    const mega = 1 << 20
    expect(await lines(Buffer.alloc(mega - 1, 'x'))).toEqual([])
    expect((await lines(Buffer.alloc(mega, 'x'))).map((line) => line.split('@')[1])).toEqual([String(mega)])
    expect(await lines(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(mega, 'x')]))).toEqual(['a@2'])
  })
})

test('words of a shell', () => {
  expect(['plain', 'a/b-c_1.x:y,z@%+=', "it's", '', 'a b', '$HOME'].map(quoted)).toEqual([
    'plain',
    'a/b-c_1.x:y,z@%+=',
    "'it'\\''s'",
    "''",
    "'a b'",
    "'$HOME'",
  ])
  expect(() => quoted('a\0b')).toThrow('an argument contains a NUL byte')
  expect(
    (['node-rank', 'master-address', 'master-port'] as const).map((rendezvous) => shellWord({rendezvous})),
  ).toEqual(['"$NODE_RANK"', '"$MASTER_ADDR"', '"$MASTER_PORT"'])
  expect(shellWord('a b')).toBe("'a b'")
})
