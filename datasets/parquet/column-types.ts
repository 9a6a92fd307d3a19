import type {SchemaElement} from 'hyparquet'
import {z} from 'zod'

/**
 * The types a column may have. One declaration defines the Parquet schema, the Hub's feature and the writer's check.
 */
export type ColumnType =
  | 'string'
  | 'int32'
  | 'float64'
  | 'bool'
  | {list: ColumnType}
  | {struct: Readonly<Record<string, ColumnType>>}

const scalars = {
  string: {element: {type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: {type: 'STRING'}}, dtype: 'string'},
  int32: {element: {type: 'INT32'}, dtype: 'int32'},
  float64: {element: {type: 'DOUBLE'}, dtype: 'float64'},
  bool: {element: {type: 'BOOLEAN'}, dtype: 'bool'},
} as const

/**
 * Schema elements of one field, depth first. Every field is optional, as `datasets` writes it: a required field in one
 * shard and an optional one in the next do not concatenate.
 */
export function parquetElements(name: string, type: ColumnType): SchemaElement[] {
  if (typeof type === 'string') return [{name, repetition_type: 'OPTIONAL', ...scalars[type].element}]
  if ('list' in type) {
    return [
      {name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: {type: 'LIST'}},
      {name: 'list', repetition_type: 'REPEATED', num_children: 1},
      ...parquetElements('element', type.list),
    ]
  }
  const fields = Object.entries(type.struct)
  return [
    {name, repetition_type: 'OPTIONAL', num_children: fields.length},
    ...fields.flatMap(([field, inner]) => parquetElements(field, inner)),
  ]
}

/** A feature in the form that `datasets` stores under the footer key `huggingface`. */
type Feature = {dtype: string; _type: 'Value'} | {feature: Feature; _type: 'List'} | {[field: string]: Feature}

export function hubFeature(type: ColumnType): Feature {
  if (typeof type === 'string') return {dtype: scalars[type].dtype, _type: 'Value'}
  if ('list' in type) return {feature: hubFeature(type.list), _type: 'List'}
  return Object.fromEntries(Object.entries(type.struct).map(([field, inner]) => [field, hubFeature(inner)]))
}

/** A feature in the form of the card's `dataset_info`: `{dtype}`, `{list: …}` or `{struct: […]}`. */
type CardFeature = {
  name?: string
  dtype?: string
  list?: string | CardFeature[] | CardFeature
  struct?: CardFeature[]
}

export function cardFeature(name: string, type: ColumnType): CardFeature {
  return {name, ...cardType(type)}
}

function cardType(type: ColumnType): CardFeature {
  if (typeof type === 'string') return {dtype: scalars[type].dtype}
  if ('struct' in type) return {struct: Object.entries(type.struct).map(([field, inner]) => cardFeature(field, inner))}
  const inner = cardType(type.list)
  return {list: inner.dtype ?? inner.struct ?? inner}
}

/** Writers silently replace a lone surrogate by U+FFFD; the row is refused instead. */
const text = z.string().refine((value) => !/\p{Surrogate}/u.test(value), 'a lone surrogate has no UTF-8 form')

/**
 * Refuses what a Parquet writer would change silently: lone surrogates, NaN, fractions and numbers past the column's
 * range.
 */
export function storable(type: ColumnType): z.ZodType {
  if (type === 'string') return text.nullable()
  if (type === 'int32') return z.int32().nullable()
  if (type === 'float64') return z.number().nullable()
  if (type === 'bool') return z.boolean().nullable()
  if ('list' in type) return z.array(storable(type.list)).nullable()
  return z.strictObject(
    Object.fromEntries(Object.entries(type.struct).map(([field, inner]) => [field, storable(inner)])),
  )
}

/** Bytes of a value before encoding and compression. */
export function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 4
  if (value === null || typeof value !== 'object') return 8
  let bytes = 0
  for (const inner of Object.values(value)) bytes += storedBytes(inner)
  return bytes
}
