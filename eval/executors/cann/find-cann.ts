import {PipelineError} from '../../../engine/errors.ts'
import type {Shell} from './cann-shell.ts'

/** What CANN can do with what is there, from least to most. */
export const cannLevels = ['cann-compile', 'cann-sim', 'cann-board'] as const
export type CannLevel = (typeof cannLevels)[number]

/** A toolkit and what belongs to it. */
export interface CannInstall {
  /** Absolute folder, as `set_env.sh` names it. */
  home: string
  version: string
  /** The environment after `set_env.sh`. */
  variables: Readonly<Record<string, string>>
  bisheng: string
  msopgen: string
  /** Profiler; without it no times are measured. */
  msprof: string | undefined
  /** Folder of the simulator's libraries for the chip. */
  simulator: string | undefined
  /** Logical numbers of the boards, as `aclrtSetDevice` takes them. */
  devices: readonly number[]
  /** Those that can be used, in the order of `cannLevels`. */
  levels: readonly CannLevel[]
}

// Home folders and their order: the installation guide of 8.x (ascend-toolkit/latest), the quick start of 9.x (cann).
// `set_env.sh` is in the home of 9.x and beside that of 8.x. Its variables are taken once, for every later command.
const script = `
for home in "$ASCEND_HOME_PATH" "$ASCEND_TOOLKIT_HOME" /usr/local/Ascend/cann /usr/local/Ascend/ascend-toolkit/latest
do
  for set in "$home/set_env.sh" "$home/../set_env.sh"; do
    if [ -n "$home" ] && [ -f "$set" ]; then found="$set"; break 2; fi
  done
done
say() { printf 'found:%s=%s\\0' "$1" "$2"; }
if [ -z "$found" ]; then exit 0; fi
export ASCEND_HOME_PATH="$home"
. "$found" >/dev/null 2>&1
say home "$ASCEND_HOME_PATH"
for tool in bisheng msopgen msprof; do say "$tool" "$(command -v "$tool")"; done
for chip in "$1" dav_2201; do
  if [ -d "$ASCEND_HOME_PATH/tools/simulator/$chip/lib" ]; then
    say simulator "$ASCEND_HOME_PATH/tools/simulator/$chip/lib"; break
  fi
done
say version "$(cat "$ASCEND_HOME_PATH"/version.cfg "$ASCEND_HOME_PATH"/compiler/version.info 2>/dev/null
  cat "$ASCEND_HOME_PATH"/*-linux/ascend_toolkit_install.info 2>/dev/null)"
say boards "$(npu-smi info -m 2>/dev/null)"
env -0
`

/** Variables of the caller that say where CANN is and what its programs need. */
const passed = [
  'PATH',
  'HOME',
  'LD_LIBRARY_PATH',
  'ASCEND_HOME_PATH',
  'ASCEND_TOOLKIT_HOME',
  'ASCEND_RT_VISIBLE_DEVICES',
]

interface Asked {
  shell: Shell
  /** Chip whose simulator is looked for. */
  soc: string
  /** Of the caller; undefined on another host, whose account has its own. */
  environment?: Readonly<Record<string, string | undefined>> | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finds a toolkit by the documented variables and folders.
 * @throws PipelineError `toolchain-missing`: what is missing, and how it is installed
 */
export async function findCann({shell, soc, environment, signal}: Asked): Promise<CannInstall> {
  const env = environment && Object.fromEntries(passed.flatMap((name) => pair(name, environment[name])))
  const command = environment ? ['bash', '-c', script, 'bash', soc] : ['bash', '-lc', script, 'bash', soc]
  const {stdout} = await shell.run(command, {env, seconds: 60, signal})
  const entries = stdout.split('\0').flatMap((line) => pair(...splitAt(line)))
  const found = (name: string) => entries.find(([key]) => key === `found:${name}`)?.[1] || undefined
  const [home, bisheng, msopgen] = [found('home'), found('bisheng'), found('msopgen')]
  const lacking = home === undefined ? 'no toolkit' : missingTools({bisheng, msopgen})
  if (lacking !== '' || !home || !bisheng || !msopgen) throw missing(shell.place, lacking)
  const [simulator, devices] = [found('simulator'), boardsIn(found('boards') ?? '')]
  return {
    home,
    version: versionIn(found('version') ?? ''),
    variables: Object.fromEntries(entries.filter(([key]) => !key.startsWith('found:'))),
    bisheng,
    msopgen,
    msprof: found('msprof'),
    simulator,
    devices,
    levels: [
      'cann-compile',
      ...(simulator ? ['cann-sim' as const] : []),
      ...(devices[0] === undefined ? [] : ['cann-board' as const]),
    ],
  }
}

const pair = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]]

function splitAt(line: string): [string, string | undefined] {
  const at = line.indexOf('=')
  return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)]
}

function missingTools(tools: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(tools)
    .flatMap(([name, path]) => (path === undefined ? [`no ${name}`] : []))
    .join(' and ')
}

const cannFix =
  'Install the CANN toolkit (its .run file needs neither a card nor a driver), or name its folder with ' +
  'ASCEND_HOME_PATH; `--set executor.host=<host>` uses that of another machine over ssh.'

function missing(place: string, what: string): PipelineError {
  return new PipelineError('toolchain-missing', `CANN was not found on ${place}: ${what}.`, {
    fix: cannFix,
  })
}

/** `Version=8.1.RC1` and `toolkit_running_version=[…]` are lines of files that the installer writes. */
function versionIn(text: string): string {
  const [first = 'unknown'] = text.split('\n').flatMap((line) => {
    const [name, value] = splitAt(line.trim())
    return value && /version$/i.test(name) ? [value.replaceAll(/[[\]"]/g, '')] : []
  })
  return first
}

/** Rows of `npu-smi info -m` whose column `Chip Logic ID` holds a number: the others are management chips. */
function boardsIn(text: string): number[] {
  const [head = [], ...rows] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s{2,}/))
  const column = head.indexOf('Chip Logic ID')
  return rows.flatMap((cells) => (/^\d+$/.test(cells[column] ?? '') ? [Number(cells[column])] : []))
}

/** What a level lacks that was not found. */
const lacking: Record<CannLevel, string> = {
  'cann-compile': 'the compiler',
  'cann-sim': 'a simulator of the chip below tools/simulator of the toolkit',
  'cann-board': 'a board that `npu-smi info -m` lists',
}

/**
 * The level that is asked for, or the most that was found.
 * @throws PipelineError `toolchain-missing` when it was not found
 */
export function levelOf({levels}: CannInstall, asked: CannLevel | undefined, place: string): CannLevel {
  const level = asked ?? (levels.at(-1) as CannLevel)
  if (levels.includes(level)) return level
  throw new PipelineError('toolchain-missing', `${level} cannot be used on ${place}: it lacks ${lacking[level]}.`, {
    fix: `Use \`--set executor.level=${levels.at(-1)}\`, or install what is missing.`,
  })
}
