import {mkdtemp} from 'node:fs/promises'
import {constants} from 'node:os'
import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {makeFolder, removeFolder} from '../../engine/files.ts'
import {runCommand} from '../../engine/subprocess.ts'
import type {CommandResult} from '../../engine/subprocess.ts'

export type SandboxName = 'bwrap' | 'unshare' | 'plain'

/** What a confined program may see besides `/usr`: absolute paths, the same inside and outside. */
interface Reach {
  readOnly: readonly string[]
  /** The one folder that it may write; also its working directory. */
  writable: string
  /**
   * It is the first process of its namespace, so that no process of the sandbox runs next to it; signals that it does
   * not handle, including those of its own limits, have no effect.
   */
  first?: boolean
}

export interface Limits {
  /** Time limit of each process; `Infinity` for a program that limits its own children. */
  cpuSeconds: number
  wallSeconds: number
  /** Address space, so mappings that are never touched count too. */
  memoryBytes: number
  /** Size of any one file that it writes. */
  fileBytes: number
  /** Of each of stdout and stderr; the rest is discarded. */
  outputBytes: number
}

export interface Confined extends CommandResult {
  /** Signal that ended the program, reported by the sandbox or the kernel. */
  killedBy: string | undefined
  /** It ran past its CPU or wall limit. */
  overtime: boolean
}

/** How a compiler or linker ended by itself. */
export type ToolResult = Pick<Confined, 'code' | 'killedBy' | 'overtime' | 'stderr' | 'truncated'>

export const sandboxFix =
  'Install bubblewrap (`apt install bubblewrap`), or allow user namespaces ' +
  '(`sysctl kernel.unprivileged_userns_clone=1`). ' +
  'To run without a sandbox, which lets generated code read and write whatever you can: ' +
  '`--set executor.sandbox=none-and-i-accept-the-risk`.'

const order: readonly SandboxName[] = ['bwrap', 'unshare']

/** Builds the argument list that runs `command` inside the sandbox. */
const wrappers: Record<SandboxName, (command: readonly string[], reach: Reach) => string[]> = {
  bwrap: bubblewrap,
  unshare: namespaces,
  plain: unconfined,
}

/** A program started inside a sandbox and under limits. */
export function confined(sandbox: SandboxName, command: readonly string[], reach: Reach, limits: Limits) {
  const [program = '', ...args] = wrappers[sandbox](limited(command, limits), reach)
  return {program, args, cwd: reach.writable, env: environment(reach.writable)}
}

function environment(home: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    TMPDIR: home,
    LC_ALL: 'C',
    // Huge pages for malloc: a third of a compiler's CPU time was the system's, much of it for page faults.
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  }
}

/**
 * Runs a program inside a sandbox and under limits. Its behaviour is a value; only a missing sandbox program throws.
 */
export async function runConfined(
  sandbox: SandboxName,
  command: readonly string[],
  reach: Reach,
  limits: Limits,
  extra: {stdin?: string; signal?: AbortSignal | undefined} = {},
): Promise<Confined> {
  const {program, args, cwd, env} = confined(sandbox, command, reach, limits)
  const started = performance.now()
  const result = await runCommand(program, args, {
    cwd,
    env,
    stdin: extra.stdin ?? '',
    timeoutSeconds: limits.wallSeconds,
    maxOutputBytes: limits.outputBytes,
    ...(extra.signal ? {signal: extra.signal} : {}),
  })
  const killedBy = signalOf(result)
  // SIGXCPU can be ignored; what follows it is SIGKILL at the hard limit, which nothing reaches in less time than it
  // measures.
  const pastHardLimit = killedBy === 'SIGKILL' && performance.now() - started >= hardCpuSeconds(limits) * 1000
  return {...result, killedBy, overtime: result.timedOut || killedBy === 'SIGXCPU' || pastHardLimit}
}

// SIGABRT also has an older name, so the first of two is kept.
const signalNames = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number as number, name]),
)

export function signalName(number: number): string {
  return signalNames.get(number) ?? `signal ${number}`
}

// A shell or sandbox between us and the program reports a signal as status 128 + number.
export function signalOf({code, signal}: Pick<CommandResult, 'code' | 'signal'>): string | undefined {
  return signal ?? (code !== null && code > 128 ? signalNames.get(code - 128) : undefined)
}

const hardCpuSeconds = ({cpuSeconds}: Limits) => Math.ceil(cpuSeconds) + 2

/** The soft CPU limit comes first, so that running over time ends in SIGXCPU, which has no other source. */
function limited(command: readonly string[], limits: Limits): string[] {
  const {cpuSeconds, memoryBytes, fileBytes} = limits
  const onCpu = [`ulimit -S -t ${Math.ceil(cpuSeconds)}`, `ulimit -H -t ${hardCpuSeconds(limits)}`]
  // `ulimit` counts memory in KiB and files in blocks of 512 bytes.
  const script = [
    'ulimit -c 0',
    ...(Number.isFinite(cpuSeconds) ? onCpu : []),
    `ulimit -v ${Math.floor(memoryBytes / 1024)}`,
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    'exec "$@"',
  ].join('; ')
  return ['/bin/sh', '-c', script, 'sh', ...command]
}

/** Where compilers and libraries live; on a merged-/usr system the others are links into it. */
const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/alternatives',
  '/etc/ld.so.cache',
]

function bubblewrap(command: readonly string[], {readOnly, writable, first}: Reach): string[] {
  return [
    'bwrap',
    ...(first ? ['--as-pid-1'] : []),
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--hostname',
    'twin',
    ...systemFolders.flatMap((path) => ['--ro-bind-try', path, path]),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    '--bind',
    writable,
    writable,
    '--remount-ro',
    '/',
    '--chdir',
    writable,
    '--',
    ...command,
  ]
}

// The root of a fresh file system contains only what is bound into it; then the old root is detached and every
// capability dropped.
const namespaceScript = `set -e
root="$1"; writable="$2"; first="$3"; count="$4"; shift 4
mkdir -p "$root"
mount -t tmpfs -o size=1m tmpfs "$root"
bindOne() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root$(dirname "$1")"; : > "$root$1"; fi
  mount --rbind "$1" "$root$1"
}
while [ "$count" -gt 0 ]; do
  if [ -e "$1" ]; then bindOne "$1"; mount -o remount,ro,bind "$root$1"; fi
  shift; count=$((count - 1))
done
for device in null zero random urandom; do bindOne "/dev/$device"; done
bindOne "$writable"
mkdir "$root/old" "$root/proc"
mount -t proc proc "$root/proc"
mount -o remount,ro,bind "$root"
cd "$root"
pivot_root . old
cd /
umount -l /old
cd "$writable"
if [ "$first" = yes ]; then exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"; fi
set +e
setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
exit $?
`

function namespaces(command: readonly string[], {readOnly, writable, first}: Reach): string[] {
  const visible = [...systemFolders, ...readOnly]
  return [
    'unshare',
    '--user',
    '--map-root-user',
    '--net',
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    '--',
    '/bin/sh',
    '-c',
    namespaceScript,
    'sh',
    join(writable, '.root'),
    writable,
    first ? 'yes' : 'no',
    String(visible.length),
    ...visible,
    ...command,
  ]
}

function unconfined(command: readonly string[]): string[] {
  return [...command]
}

export interface SandboxReport {
  name: SandboxName
  works: boolean
  /** The probe's output if it does not work. */
  detail: string
}

const probeLimits: Limits = {
  cpuSeconds: 5,
  wallSeconds: 20,
  memoryBytes: 1 << 30,
  fileBytes: 1 << 20,
  outputBytes: 1 << 16,
}

/** A program inside must see its own folder, and neither `/etc/passwd` nor a writable `/usr`. */
const canary = 'test ! -e /etc/passwd && ! touch /usr/.twin-probe 2>/dev/null && echo inside > probe && cat probe'

/** Tries every sandbox in its own folder below `workDirectory`, which is created. */
export async function probeSandboxes(workDirectory: string): Promise<SandboxReport[]> {
  makeFolder(workDirectory)
  return Promise.all(order.map((name) => probeOne(name, workDirectory)))
}

async function probeOne(name: SandboxName, workDirectory: string): Promise<SandboxReport> {
  const writable = await mkdtemp(join(workDirectory, `probe-${name}-`))
  try {
    const {code, stdout, stderr} = await runConfined(
      name,
      ['/bin/sh', '-c', canary],
      {readOnly: [], writable},
      probeLimits,
    )
    const works = code === 0 && stdout.trim() === 'inside'
    return {name, works, detail: works ? '' : `status ${code}: ${stderr.trim().split('\n').at(-1) ?? ''}`}
  } catch (error) {
    if (error instanceof PipelineError) return {name, works: false, detail: error.message}
    throw error
  } finally {
    await removeFolder(writable)
  }
}

/**
 * The best sandbox that works, or the requested one. @throws PipelineError `sandbox-missing`; `plain` is only used if
 * requested explicitly
 */
export async function chooseSandbox(workDirectory: string, asked: SandboxName | 'auto' = 'auto'): Promise<SandboxName> {
  if (asked === 'plain') return 'plain'
  makeFolder(workDirectory)
  const reports: SandboxReport[] = []
  // One after the other: testing `unshare` starts sixty programs, which is wasted if the first works.
  for (const name of order.filter((one) => asked === 'auto' || one === asked)) {
    const report = await probeOne(name, workDirectory)
    if (report.works) return name
    reports.push(report)
  }
  const seen = reports.map(({name, detail}) => `${name}: ${detail}`).join('; ')
  throw new PipelineError(
    'sandbox-missing',
    `No sandbox works here, and generated code is not run without one (${seen}).`,
    {fix: sandboxFix, evidence: {reports}},
  )
}
