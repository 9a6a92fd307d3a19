import {idColumn, originColumns, stagesColumn, type Column} from './column.ts'
import type {ColumnType} from './column-types.ts'
import type {ApiEntry} from '../schema/api-entry.ts'

const declared: ColumnType = {list: {struct: {name: 'string', type: 'string', default: 'string'}}}
const strings: ColumnType = {list: 'string'}

type Declared = ApiEntry['prototypes'][number]['parameters']

const declaredCells = (parameters: Declared) =>
  parameters.map(({name, type, defaultValue = null}) => ({name, type, default: defaultValue}))

/** What a page says about an interface. A list is empty, and a cell null, if the page says nothing about it. */
const said: readonly Column<ApiEntry>[] = [
  {
    name: 'prototypes',
    type: {
      list: {struct: {text: 'string', returns: 'string', template_parameters: declared, parameters: declared}},
    },
    meaning: 'Every declaration as written on the page, and its parts; `default` is null if there is none.',
    value: (row) =>
      row.prototypes.map(({text, returns, templates, parameters}) => ({
        text,
        returns,
        template_parameters: declaredCells(templates),
        parameters: declaredCells(parameters),
      })),
  },
  {
    name: 'parameters',
    type: {
      list: {
        struct: {
          names: strings,
          direction: 'string',
          meaning: strings,
          choices: {list: {struct: {name: 'string', text: 'string'}}},
          structure: 'string',
        },
      },
    },
    meaning:
      "Rows of the page's parameter tables, template parameters included: names that share a row, `input`, `output` " +
      'or `both`, sentences, named values, and the structure whose member it is (empty for the interface itself).',
    value: (row) => row.parameters,
  },
  {
    name: 'dtypes',
    type: strings,
    meaning: 'Element types that its tensors may have on `product`.',
    value: (row) => row.dtypes,
  },
  {name: 'constraints', type: strings, meaning: 'What the page requires.', value: (row) => row.constraints},
  {
    name: 'alignment',
    type: {list: {struct: {bytes: 'int32', of: strings, text: 'string'}}},
    meaning: "Rules of alignment: bytes, the parameters they are about (none: all), and the page's wording.",
    value: (row) => row.alignment,
  },
  {
    name: 'pipe',
    type: 'string',
    meaning: 'The pipe that it runs on, such as `PIPE_V`.',
    value: (row) => row.pipe || null,
  },
  {
    name: 'examples',
    type: {list: {struct: {lead: 'string', code: 'string', result: 'string'}}},
    meaning: 'Example code from the page, with the text before it and the stated result, or null.',
    value: (row) => row.examples.map(({lead, code, result = null}) => ({lead, code, result})),
  },
  {
    name: 'deprecated',
    type: 'string',
    meaning: 'What the page says if it is deprecated.',
    value: (row) => row.deprecated?.text ?? null,
  },
  {
    name: 'instead',
    type: strings,
    meaning: 'Names that the page recommends instead.',
    value: (row) => row.deprecated?.instead ?? [],
  },
]

/** The columns of the index of interfaces. */
export const apiColumns: readonly Column<ApiEntry>[] = [
  idColumn,
  {name: 'name', type: 'string', meaning: 'Its name in code: `TPipe::InitBuffer`.', value: (row) => row.name},
  {
    name: 'kind',
    type: 'string',
    meaning: '`basic`, `high-level`, `c`, `simt`, `utils`, `ai-cpu` or `other`, by its place in the documentation.',
    value: (row) => row.kind,
  },
  {
    name: 'page',
    type: 'string',
    meaning: 'Title of its page; several pages may document the same name.',
    value: (row) => row.page,
  },
  {name: 'language', type: 'string', meaning: '`zh` or `en`.', value: (row) => row.language},
  {
    name: 'product',
    type: 'string',
    meaning: 'The product line that the page was read for, by the marker of the vendor: `910b` is Atlas A2.',
    value: (row) => row.product,
  },
  {name: 'purpose', type: 'string', meaning: 'What it does, in one sentence.', value: (row) => row.purpose || null},
  ...said,
  ...originColumns<ApiEntry>(),
  stagesColumn,
]
