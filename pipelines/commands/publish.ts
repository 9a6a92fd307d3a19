import {counted} from '../../engine/counted.ts'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {hubUser, nounOf, type HubAccess, type HubDataset, type HubKind} from '../../datasets/hub/hub.ts'
import {isNothing, type Difference, type LocalFile} from '../../datasets/hub/publish-diff.ts'
import {pageOf, planPublish, publish, type PublishPlan} from '../../datasets/hub/publish-commit.ts'
import {PipelineError} from '../../engine/errors.ts'
import {redactError, redactor} from '../../engine/llm/redact.ts'
import type {RetryOptions} from '../../engine/retrying-fetch.ts'
import {hubAccess} from '../workspace/hub-access.ts'
import {releasedFiles, releasedModel, type Released} from './released-files.ts'
import type {Terminal} from './terminal.ts'
import {table, wrapped} from './text-table.ts'
import type {World} from './world.ts'

export interface PublishAsked {
  /** `owner/name`. */
  name: string
  out: string
  /** `job:<id>`, whose model is published; undefined: the data set of the output folder. */
  model?: string | undefined
  /** Without it, nothing is sent. */
  yes: boolean
  isPublic: boolean
  json: boolean
}

/** The clock of publishing; tests replace it. */
export type PublishTime = Pick<RetryOptions, 'sleep' | 'alarm'>

/** A dry run that does not reach the Hub still has something to show, and need not wait as long as an upload. */
const dryAttempts = 3

/**
 * `ascend-cot publish`. Shows what would change on the Hub; with `yes`, changes it in one commit. Without `yes`, an
 * unreachable Hub is no error.
 */
export async function publishDataset(asked: PublishAsked, world: World, time: PublishTime = {}): Promise<number> {
  const {terminal, env, signal, now} = world
  const kind: HubKind = asked.model === undefined ? 'dataset' : 'model'
  const name = checkedName(asked.name, nounOf(kind))
  const released =
    asked.model === undefined ? await releasedFiles(asked.out) : await releasedModel(asked.model, asked.out)
  const {directory, files} = released
  // Works without the Hub, which may be unreachable.
  if (!asked.json) terminal.say(await localWords(released))
  const onPause = (why: string, seconds: number) => terminal.say(`${why}; retrying in ${seconds} s`)
  const hub = await hubAccess(env, {now, signal, onPause, ...(!asked.yes && {attempts: dryAttempts}), ...time})
  try {
    if (asked.yes && hub.token === undefined) throw noToken(hub.endpoint)
    // Checked first: the Hub shows nothing to a wrong token, as to a stranger.
    const user = hub.token === undefined ? undefined : await hubUser(hub)
    const plan = await planPublish({hub, kind, name, files})
    if (plan.there && !plan.there.private && !asked.isPublic && !isNothing(plan.diff)) throw isPublicThere(name)
    const address = pageOf(hub, kind, name)
    if (!asked.json) terminal.print(inWords(plan, address, {...asked, kind, user}, terminal.width))
    if (!asked.yes || isNothing(plan.diff)) {
      if (asked.json) terminal.print(JSON.stringify({...summary(plan, address), published: false}))
      return 0
    }
    const title = `${kind === 'model' ? 'Model' : 'Data set'} of ascend-cot: ${counted(files.length, 'file')}`
    const request = {hub, kind, name, directory, files, title, isPublic: asked.isPublic, signal}
    const sleep = time.sleep === undefined ? {} : {sleep: time.sleep}
    const sha = await publish({...request, ...sleep, onProgress: progress(terminal, plan.diff)}, plan)
    terminal.display?.draw([])
    const done = {...summary(plan, address), published: true, commit: sha}
    terminal.print(asked.json ? JSON.stringify(done) : `published: ${address}/commit/${sha}`)
    return 0
  } catch (error) {
    redactError(error, redactor([hub.token]))
    if (asked.yes || !(error instanceof PipelineError) || error.code !== 'endpoint-unreachable') throw error
    tellUnchecked(error, {...asked, kind, name, files, hub}, terminal)
    return 0
  }
}

interface Unchecked extends Pick<PublishAsked, 'name' | 'json'> {
  kind: HubKind
  files: readonly LocalFile[]
  hub: HubAccess
}

function tellUnchecked({message}: PipelineError, {kind, name, files, hub, json}: Unchecked, terminal: Terminal) {
  const address = pageOf(hub, kind, name)
  const token = hub.token === undefined ? [] : ['the token']
  const left = [...token, `whether ${name} exists and who may read it`, 'which of these files it already has']
  if (json) {
    const own = files.map(({path, bytes}) => ({path, bytes}))
    terminal.print(JSON.stringify({address, files: own, notChecked: left, why: message, published: false}))
    return
  }
  const rows = files.map(({path, bytes}) => ['+', path, sizeText(bytes)])
  const lines = [
    `${address}: a ${nounOf(kind)} of ${counted(files.length, 'file')}`,
    table(['', 'file', 'size'], rows, terminal.width),
    `at most ${counted(files.length, 'file')} to send (${sizeText(bytesOf(files))})`,
    `not checked: ${left.join('; ')}`,
    'nothing was sent: this was a dry run; pass --yes to publish, with a network',
  ]
  terminal.say(`warning: ${message}\n  → Run this again with a network to see what would change on the Hub.`)
  terminal.print(wrappedLines(lines, terminal.width))
}

/** See https://huggingface.co/docs/hub/repositories: letters, digits and `-_.`, 96 characters at most. */
function checkedName(name: string, noun: string): string {
  const part = '[A-Za-z0-9](?:[\\w.-]*[A-Za-z0-9])?'
  const fits = new RegExp(`^${part}/${part}$`).test(name) && name.length <= 96
  if (fits && !/--|\.\./.test(name) && !/\.git$/.test(name)) return name
  throw new PipelineError('config-invalid', `"${name}" is not the name of a ${noun} on the Hub.`, {
    fix: 'Give owner and name, such as my-group/ascend-cot: letters, digits, and single - _ . between them.',
  })
}

function noToken(endpoint: string): PipelineError {
  return new PipelineError('key-missing', 'Publishing needs a Hub token, and none is set.', {
    fix: `Set HF_TOKEN to one with write access (${endpoint}/settings/tokens), or log in with \`hf auth login\`.`,
  })
}

function isPublicThere(name: string): PipelineError {
  return new PipelineError('config-invalid', `${name} is public on the Hub, but --public was not given.`, {
    fix: 'Pass --public if everybody may read the files, or give another name.',
  })
}

/** What would be published, under which licence, and how it was checked. */
async function localWords({directory, files, checked}: Released): Promise<string> {
  const card = await readFile(join(directory, 'README.md'), 'utf8').catch(() => '')
  const [, licence = 'none in the card'] = /^license: (.+)$/m.exec(card) ?? []
  const named = /^license_name: (.+)$/m.exec(card)?.[1]
  return [
    `${directory}: ${counted(files.length, 'file')} (${sizeText(bytesOf(files))}), licence ${named ?? licence}`,
    ...checked.map((line) => `  ${line}`),
  ].join('\n')
}

const bytesOf = (files: readonly {bytes: number}[]) => files.reduce((sum, {bytes}) => sum + bytes, 0)

function summary({there, diff}: PublishPlan, address: string) {
  const {added, changed, removed, same, foreign} = diff
  const paths = (files: readonly {path: string; bytes: number}[]) => files.map(({path, bytes}) => ({path, bytes}))
  return {
    address,
    there: there ?? null,
    added: paths(added),
    changed: changed.map(({path, bytes, before}) => ({path, bytes, before})),
    removed: paths(removed),
    same: paths(same),
    foreign: paths(foreign),
  }
}

function inWords(
  plan: PublishPlan,
  address: string,
  {yes, isPublic, kind, user}: PublishAsked & {kind: HubKind; user: string | undefined},
  width = Infinity,
): string {
  const {added, changed, removed, same, foreign} = plan.diff
  const rows = [
    ...added.map(({path, bytes}) => ['+', path, sizeText(bytes), '']),
    ...changed.map(({path, bytes, before}) => ['~', path, sizeText(bytes), `was ${sizeText(before)}`]),
    ...removed.map(({path, bytes}) => ['-', path, sizeText(bytes), 'removed']),
  ]
  const stays = [
    ...(same.length > 0 ? [`${counted(same.length, 'file')} there already (${sizeText(bytesOf(same))})`] : []),
    ...(foreign.length > 0
      ? [`not part of this ${nounOf(kind)}, left unchanged: ${foreign.map(({path}) => path).join(', ')}`]
      : []),
  ]
  const [send, nothing] = [[...added, ...changed], isNothing(plan.diff)]
  const sent = `${counted(send.length, 'file')} to send (${sizeText(bytesOf(send))}), ${removed.length} to remove`
  const lines = [
    `${address}${user === undefined ? '' : `, as ${user}`}: ${placeText(plan.there, isPublic, nounOf(kind))}`,
    ...(rows.length > 0 ? [table(['', 'file', 'size', ''], rows, width)] : []),
    ...stays,
    nothing ? 'nothing to publish: the Hub already has these files' : sent,
    ...(yes || nothing ? [] : ['nothing was sent: this was a dry run; pass --yes to publish']),
  ]
  return wrappedLines(lines, width)
}

function wrappedLines(lines: readonly string[], width = Infinity): string {
  return lines.map((line) => (line.includes('\n') ? line : wrapped(line, 2, width))).join('\n')
}

function placeText(there: HubDataset | undefined, isPublic: boolean, noun: string): string {
  const visibility = isPublic ? 'public' : 'private'
  if (!there) return `no ${noun} there, or none that this token may see; it will be created, ${visibility}`
  const now = `commit ${there.sha.slice(0, 8)}, ${there.private ? 'private' : 'public'}`
  return there.private && isPublic ? `${now}; it stays private: change that in its settings on the Hub` : now
}

function progress({display, say}: Terminal, {added, changed}: Difference) {
  const sizes = new Map([...added, ...changed].map(({path, bytes}) => [path, bytes]))
  const done = new Map<string, number>()
  const whole = bytesOf([...added, ...changed])
  return (path: string, share: number) => {
    const before = done.get(path) ?? 0
    done.set(path, Math.max(before, share * (sizes.get(path) ?? 0)))
    const sent = [...done.values()].reduce((sum, one) => sum + one, 0)
    const line = `sent ${sizeText(sent)} of ${sizeText(whole)}: ${path}`
    if (display) display.draw([line.slice(0, display.width - 1)])
    else if (share === 1 && before !== done.get(path)) say(line)
  }
}

/** In units of 1,000, as the Hub shows sizes. */
function sizeText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), 4)
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][unit]}`
}
