import {interfaces} from '../../cpp/interfaces.ts'
import type {ApiEntry} from '../../datasets/schema/api-entry.ts'

/** A page about one interface that says hardly more than its name. */
export const entryOf = (name: string, changes: Partial<ApiEntry> = {}): ApiEntry => ({
  ...{name, kind: 'basic', page: name, language: 'zh', product: '910b', purpose: '', parameters: [], dtypes: []},
  ...{constraints: [], alignment: [], pipe: '', examples: [], stages: {}},
  prototypes: [{text: `void ${name}()`, returns: 'void', templates: [], parameters: []}],
  origin: {repository: 'r', revision: 'v', path: `${name}.md`, licence: 'Apache-2.0'},
  ...changes,
})

/** A page for each name of the table of interfaces. */
export const everyEntry: readonly ApiEntry[] = [...interfaces.keys()].map((name) => entryOf(name))
