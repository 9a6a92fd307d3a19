import {column, idColumn, originColumns, own, stagesColumn, text, type Column} from './column.ts'
import type {ColumnType} from './column-types.ts'
import type {ApiEntry} from '../schema/api-entry.ts'

const declared: ColumnType = {list: {struct: {name: 'string', type: 'string', default: 'string'}}}
const strings: ColumnType = {list: 'string'}

type Declared = ApiEntry['prototypes'][number]['parameters']

const declaredCells = (parameters: Declared) =>
  parameters.map(({name, type, defaultValue = null}) => ({name, type, default: defaultValue}))

/** What a page says about an interface. A list is empty, and a cell null, if the page says nothing about it. */
const said: readonly Column<ApiEntry>[] = [
  column(
    'prototypes',
    {
      list: {struct: {text: 'string', returns: 'string', template_parameters: declared, parameters: declared}},
    },
    'Every declaration as written on the page, and its parts; `default` is null if there is none.',
    (row) =>
      row.prototypes.map(({text, returns, templates, parameters}) => ({
        text,
        returns,
        template_parameters: declaredCells(templates),
        parameters: declaredCells(parameters),
      })),
  ),
  column(
    'parameters',
    {
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
    "Rows of the page's parameter tables, template parameters included: names that share a row, `input`, `output` " +
      'or `both`, sentences, named values, and the structure whose member it is (empty for the interface itself).',
    (row) => row.parameters,
  ),
  own('dtypes', 'Element types that its tensors may have on `product`.', strings),
  own('constraints', 'What the page requires.', strings),
  own('alignment', "Rules of alignment: bytes, the parameters they are about (none: all), and the page's wording.", {
    list: {struct: {bytes: 'int32', of: strings, text: 'string'}},
  }),
  text('pipe', 'The pipe that it runs on, such as `PIPE_V`.', (row) => row.pipe || null),
  column(
    'examples',
    {list: {struct: {lead: 'string', code: 'string', result: 'string'}}},
    'Example code from the page, with the text before it and the stated result, or null.',
    (row) => row.examples.map(({lead, code, result = null}) => ({lead, code, result})),
  ),
  text('deprecated', 'What the page says if it is deprecated.', (row) => row.deprecated?.text),
  column('instead', strings, 'Names that the page recommends instead.', (row) => row.deprecated?.instead ?? []),
]

/** The columns of the index of interfaces. */
export const apiColumns: readonly Column<ApiEntry>[] = [
  idColumn,
  own('name', 'Its name in code: `TPipe::InitBuffer`.'),
  own('kind', '`basic`, `high-level`, `c`, `simt`, `utils`, `ai-cpu` or `other`, by its place in the documentation.'),
  own('page', 'Title of its page; several pages may document the same name.'),
  own('language', '`zh` or `en`.'),
  own('product', 'The product line that the page was read for, by the marker of the vendor: `910b` is Atlas A2.'),
  text('purpose', 'What it does, in one sentence.', (row) => row.purpose || null),
  ...said,
  ...originColumns<ApiEntry>(),
  stagesColumn,
]
