import ts from 'typescript'
import {z} from 'zod'
import type {Route} from '../../engine/service.ts'
import {SourceFile} from '../../datasets/schema/operator.ts'
import {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import * as evidence from '../../eval/serve/evidence.ts'
import {judgeRoutes} from '../../eval/serve/judge-service.ts'
import * as kernelgym from '../../eval/serve/kernelgym-wire.ts'
import * as score from '../../eval/serve/score-wire.ts'
import * as watch from '../../eval/serve/watch-routes.ts'
import {code as sources, treeOf} from '../helpers/house.ts'
import {judgeServer, reply} from '../helpers/judge-server.ts'
import {code, generated, page, table} from './page-parts.ts'
import {keysOf, linked, type Schema} from './reference-pages.ts'
import {schemaComments} from './schema-comments.ts'

// The page on the HTTP API of the judge: the routes that it serves, and requests that are sent to it here.

/** Routes need what they share to answer, not to be listed. */
const routes: readonly Route[] = judgeRoutes({} as never, {} as never, {} as never, '')

const wires: readonly [file: string, exported: Record<string, unknown>][] = [
  ['eval/serve/score-wire.ts', score],
  ['eval/serve/evidence.ts', evidence],
  ['datasets/schema/verdict.ts', {ExecutorIdentity}],
  ['datasets/schema/operator.ts', {SourceFile}],
  ['eval/serve/kernelgym-wire.ts', kernelgym],
  ['eval/serve/watch-routes.ts', watch],
]
const schemas = wires.flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, schema]) => (schema instanceof z.ZodType ? [{file, name, schema}] : [])),
)
const registry = z.registry<{id: string}>()
for (const {name, schema} of schemas) registry.add(schema, {id: name})

const nameOf = (schema: z.ZodType) => registry.get(schema)?.id ?? 'of no name'

/** Every schema of a body, once; where one is part of another, it is named there. */
export function bodies() {
  const asked = new Set(routes.flatMap(({body}) => (body ? [body] : [])))
  return schemas.map(({file, name, schema}) => {
    const comments = schemaComments(file, name)
    const io = asked.has(schema) || schema === score.ScoreItem ? 'input' : 'output'
    const {$defs, ...whole} = z.toJSONSchema(schema, {io, metadata: registry, reused: 'inline'}) as Schema
    const own = whole.$ref === undefined ? whole : ($defs?.[name] as Schema)
    return {name, keys: keysOf(own, (path) => comments.get(path))}
  })
}

const evaluation = {task_id: 'r-1', entry_point: 'ScaleShift', kernel_code: reply('ORANGE')}
/** A request to each route, in an order in which each finds what it asks for. */
const examples: Readonly<Record<string, {body?: unknown; path?: string}>> = {
  '/v1/score': {body: {items: [{id: '1', task_id: 'ScaleShift', completion: reply('right')}]}},
  '/v1/tasks': {},
  '/evaluate': {body: evaluation},
  '/evaluate/batch': {body: {batch_id: 'b-1', tasks: [{...evaluation, task_id: 'r-2', kernel_code: reply('PURPLE')}]}},
  '/status/{id}': {path: '/status/r-1'},
  '/results/{id}': {path: '/results/r-1'},
  '/health': {},
  '/v1/healthz': {},
  '/v1/capacity': {},
}

/** What differs from run to run, or is long, is not shown whole. */
function shown(key: string, value: unknown): unknown {
  if (['wall_ms', 'processing_time'].includes(key)) return 0
  return typeof value === 'string' && value.length > 80 ? `${value.slice(0, 60)}…` : value
}

async function exampleOf(ask: Awaited<ReturnType<typeof judgeServer>>['ask'], path: string): Promise<string> {
  const example = examples[path]
  if (!example) return ''
  const {status, json} = await ask(example.path ?? path, example.body)
  if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(json)}`)
  const request = `curl -s http://127.0.0.1:8077${example.path ?? path}`
  const data = JSON.stringify(example.body, shown, 1)
  const sent = example.body ? `${request} -H 'content-type: application/json' -d '${data}'` : request
  return ['```sh', sent, '```', '', '```json', JSON.stringify(json, shown, 1), '```'].join('\n')
}

/** Every refusal with its status and code: `new Refusal(422, 'task-unknown', …)`, and fragments of requests. */
export function refusals(): string[][] {
  const found: string[][] = []
  for (const file of sources.filter((one) => /^(?:eval\/serve\/|engine\/service\.ts)/.test(one))) {
    const visit = (node: ts.Node) => {
      const [status, name, message] = listOf(node)
      if (status && name && message && ts.isStringLiteral(name) && /^[45]\d\d\b/.test(plain(status)))
        found.push([code(name.text), plain(status).slice(0, 3), plain(message)])
      ts.forEachChild(node, visit)
    }
    visit(treeOf(file))
  }
  return [...new Map(found.map((row) => [row[0], row])).values()].sort((a, b) => (a.join() < b.join() ? -1 : 1))
}

function listOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal') return node.arguments ?? []
  return ts.isArrayLiteralExpression(node) && node.elements.length === 3 ? node.elements : []
}

/** A text with `…` for what it is told. */
function plain(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return '…'
  return node.head.text + node.templateSpans.map(({literal}) => `…${literal.text}`).join('')
}

export async function httpPage(introduction: string): Promise<string> {
  const {ask} = await judgeServer()
  const sections: string[] = []
  for (const route of routes) sections.push(...routeParts(route), await exampleOf(ask, route.path))
  return page([
    '# HTTP API of the judge',
    generated('the routes of `eval/serve/`'),
    introduction,
    '## Routes',
    table(
      ['route', 'what it does', 'token'],
      routes.map(({method, path, summary, open}) => [code(`${method} ${path}`), summary, open ? 'no' : 'if set']),
    ),
    ...sections,
    '## Bodies',
    'A field with `?` may be absent. `[]` stands for each element of a list, `<name>` for any name.',
    ...bodies().flatMap(({name, keys}) => [
      `### ${name}`,
      table(
        ['field', 'type', 'default', 'meaning'],
        keys.map((key) => [code(`${key.path}${key.optional ? '?' : ''}`), key.type, code(key.default), key.meaning]),
      ),
    ]),
    '## Refusals',
    'Every refusal is JSON: `{"error": {"code", "message", "fix"}}`, where `fix` says what to do.',
    table(['code', 'status', 'message'], refusals()),
  ])
}

function routeParts({method, path, summary, body, replies}: Route): string[] {
  return [
    `### ${method} ${path}`,
    summary,
    body ? `Body: ${linked(nameOf(body))}.` : '',
    table(
      ['status', 'meaning', 'body'],
      Object.entries(replies).map(([status, {meaning, schema}]) => [
        status,
        meaning,
        schema ? linked(nameOf(schema)) : '',
      ]),
    ),
  ]
}
