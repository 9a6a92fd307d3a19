import {describe, expect, test} from 'vitest'
import {confined, signalName, type Limits} from '../../../eval/executors/sandbox.ts'

const reach = {readOnly: ['/data/a', '/data/b'], writable: '/scratch/x'}
const limits: Limits = {cpuSeconds: 9, wallSeconds: 30, memoryBytes: 2049, fileBytes: 1025, outputBytes: 100}
const command = ['./program', '--flag']
const script = (...lines: string[]) => ['/bin/sh', '-c', [...lines, 'exec "$@"'].join('; '), 'sh', ...command]

const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc/alternatives', '/etc/ld.so.cache']

describe('limits', () => {
  const started = (own: Partial<Limits>) => {
    const {program, args} = confined('plain', command, reach, {...limits, ...own})
    return [program, ...args]
  }
  test('memory is counted in whole KiB, files in blocks of 512 bytes that hold all, CPU in whole seconds', () => {
    const onCpu = ['ulimit -S -t 9', 'ulimit -H -t 11']
    expect(started({})).toEqual(script('ulimit -c 0', ...onCpu, 'ulimit -v 2', 'ulimit -f 3'))
    expect(started({memoryBytes: 2047, fileBytes: 1024})).toEqual(
      script('ulimit -c 0', ...onCpu, 'ulimit -v 1', 'ulimit -f 2'),
    )
    expect(started({cpuSeconds: 8.1, memoryBytes: 2048})).toEqual(
      script('ulimit -c 0', ...onCpu, 'ulimit -v 2', 'ulimit -f 3'),
    )
  })

  test('a program that limits its own children has none on CPU', () => {
    expect(started({cpuSeconds: Infinity})).toEqual(script('ulimit -c 0', 'ulimit -v 2', 'ulimit -f 3'))
  })
})

describe('the walls', () => {
  const inner = script('ulimit -c 0', 'ulimit -S -t 9', 'ulimit -H -t 11', 'ulimit -v 2', 'ulimit -f 3')

  test('of bubblewrap: the system and what is named are read only, one folder may be written', () => {
    const given = (first: boolean) => confined('bwrap', command, {...reach, first}, limits)
    const walls = [
      ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'twin'],
      ...system.flatMap((path) => ['--ro-bind-try', path, path]),
      ...['--dev', '/dev', '--proc', '/proc'],
      ...['--ro-bind', '/data/a', '/data/a', '--ro-bind', '/data/b', '/data/b'],
      ...['--bind', '/scratch/x', '/scratch/x', '--remount-ro', '/', '--chdir', '/scratch/x', '--'],
    ]
    expect(given(false)).toMatchObject({program: 'bwrap', args: [...walls, ...inner]})
    expect(given(true)).toMatchObject({program: 'bwrap', args: ['--as-pid-1', ...walls, ...inner]})
  })

  test('of namespaces: the same, bound by a script that is told how many there are', () => {
    for (const first of [true, false]) {
      const {program, args} = confined('unshare', command, {...reach, first}, limits)
      expect([program, ...args.slice(0, 12)]).toEqual([
        'unshare',
        ...['--user', '--map-root-user', '--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--'],
        ...['/bin/sh', '-c'],
      ])
      expect(args.slice(13)).toEqual([
        ...['sh', '/scratch/x/.root', '/scratch/x', first ? 'yes' : 'no', '11'],
        ...system,
        ...reach.readOnly,
        ...inner,
      ])
    }
  })

  test.each(['plain', 'bwrap', 'unshare'] as const)('%s: nothing of the environment comes in', (sandbox) => {
    const {cwd, env} = confined(sandbox, command, reach, limits)
    expect({cwd, env}).toEqual({
      cwd: '/scratch/x',
      env: {
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        HOME: '/scratch/x',
        TMPDIR: '/scratch/x',
        LC_ALL: 'C',
        GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
      },
    })
  })
})

test.each([
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
  [0, 'signal 0'],
  [99, 'signal 99'],
])('signal %i is %s', (number, name) => {
  expect(signalName(number)).toBe(name)
})
