import {parse} from 'csv-parse/sync'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {walk} from '../../../engine/files.ts'

/** How long launches took on the device, without the host. */
interface LaunchTimes {
  /** Median, in microseconds. */
  microseconds: number
  /** Distance between the quartiles, in microseconds. */
  spread: number
  repeats: number
}

/**
 * Times of an operator's launches in what `msprof` left: `op_summary_*.csv` has a row for each, with its duration.
 * @param warmUp how many of the first are skipped
 * @returns undefined when there are no rows of it behind those
 */
export async function launchTimes(
  folder: string,
  {operator, warmUp}: {operator: string; warmUp: number},
): Promise<LaunchTimes | undefined> {
  const rows: Record<string, string>[] = []
  for await (const path of walk(folder)) {
    if (!/(?:^|\/)op_summary_[^/]*\.csv$/.test(path)) continue
    rows.push(...(parse(await readFile(join(folder, path)), {columns: true, bom: true, trim: true}) as typeof rows))
  }
  const own = rows.filter((row) => [row['OP Type'], row['Op Name']].includes(operator))
  own.sort((a, b) => Number(a['Task Start Time(us)'] ?? 0) - Number(b['Task Start Time(us)'] ?? 0))
  const times = own.slice(warmUp).map((row) => Number(row['Task Duration(us)']))
  if (times.length === 0 || !times.every((time) => time > 0)) return undefined
  times.sort((a, b) => a - b)
  const at = (share: number) => quantile(times, share)
  return {microseconds: at(0.5), spread: at(0.75) - at(0.25), repeats: times.length}
}

function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}
