import {expect, test} from 'vitest'
import {z} from 'zod'
import type {Route} from '../../../engine/service.ts'
import {openapiOf} from '../../../eval/serve/judge-service.ts'

const handle = () => ({status: 200, content: {json: null}})
const routes: Route[] = [
  {method: 'GET', path: '/health', summary: 'Health.', replies: {200: {meaning: 'well'}}, open: true, handle},
  {method: 'POST', path: '/health', summary: 'The same.', replies: {200: {meaning: 'well'}}, open: true, handle},
  {
    method: 'GET',
    path: '/runs/{run}/steps/{step_2}',
    summary: 'A step.',
    replies: {200: {meaning: 'the step', schema: z.object({n: z.number().default(1)})}, 404: {meaning: 'none'}},
    handle,
  },
  {
    method: 'POST',
    path: '/runs/{run}',
    summary: 'Asks.',
    body: z.object({n: z.number().default(1)}),
    replies: {202: {meaning: 'asked'}},
    handle,
  },
]

test('a description holds all that its routes say, and nothing else', () => {
  const parameter = (name: string) => ({name, in: 'path', required: true, schema: {type: 'string', minLength: 1}})
  const properties = {n: {type: 'number', default: 1}}
  const security = [{}, {token: []}]
  expect(openapiOf(routes, '1.2.3')).toEqual({
    openapi: '3.1.0',
    info: {title: 'The judge of ascend-cot', version: '1.2.3', description: expect.stringContaining('without an NPU')},
    paths: {
      '/health': {
        get: {summary: 'Health.', responses: {200: {description: 'well'}}},
        post: {summary: 'The same.', responses: {200: {description: 'well'}}},
      },
      '/runs/{run}': {
        post: {
          summary: 'Asks.',
          parameters: [parameter('run')],
          requestBody: {required: true, content: {'application/json': {schema: {type: 'object', properties}}}},
          responses: {202: {description: 'asked'}},
          security,
        },
      },
      '/runs/{run}/steps/{step_2}': {
        get: {
          summary: 'A step.',
          parameters: [parameter('run'), parameter('step_2')],
          responses: {
            200: {
              description: 'the step',
              // What is sent has its defaults filled in.
              content: {
                'application/json': {
                  schema: {type: 'object', properties, required: ['n'], additionalProperties: false},
                },
              },
            },
            404: {description: 'none'},
          },
          security,
        },
      },
    },
    components: {securitySchemes: {token: {type: 'http', scheme: 'bearer'}}},
  })
})
