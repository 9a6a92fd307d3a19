import {type ScalarTag, stringify} from 'yaml'

/**
 * YAML as PyYAML reads it. It reads `1e-6` as text, because it has no dot, and a bare `no` as false: floats get a dot
 * and a signed exponent, and YAML 1.1 words get quotes.
 */
export function yamlText(values: Readonly<Record<string, unknown>>): string {
  return stringify(values, {version: '1.1', customTags: (tags) => [float, ...tags], lineWidth: 0})
}

const float: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => typeof value === 'number' && !Number.isInteger(value),
  test: /^[-+]?\d+\.\d+(e[-+]\d+)?$/,
  resolve: Number,
  stringify: ({value}) => floatText(Number(value)),
}

/** `1.25e-6`, `1.0e-6`, `0.1`. */
export function floatText(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e-3) return Number.isInteger(value) ? value.toFixed(1) : String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent}`
}
