import {z} from 'zod'
import type {Json} from '../../engine/json.ts'
import type {Route} from '../../engine/service.ts'

/** The OpenAPI 3.1 description of routes, from the schemas that check their bodies. */
export function openapiOf(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return {
    openapi: '3.1.0',
    info: {title: 'The judge of ascend-cot', version, description: 'Verdicts on Ascend C operators, without an NPU.'},
    paths,
    components: {securitySchemes: {token: {type: 'http', scheme: 'bearer'}}},
  }
}

function operation({path, summary, body, replies, open}: Route): Json {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: {type: 'string', minLength: 1},
  }))
  const described = Object.entries(replies).map(([status, {meaning, schema}]) => [
    status,
    {description: meaning, ...(schema && {content: {'application/json': {schema: jsonSchema(schema, 'output')}}})},
  ])
  return {
    summary,
    ...(parameters.length > 0 && {parameters}),
    ...(body && {requestBody: {required: true, content: {'application/json': {schema: jsonSchema(body, 'input')}}}}),
    responses: Object.fromEntries(described) as Json,
    ...(!open && {security: [{}, {token: []}]}),
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {$schema: _, ...rest} = z.toJSONSchema(schema, {io})
  return rest as unknown as Json
}
