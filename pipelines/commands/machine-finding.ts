/** What `doctor` reports about one thing that this machine has or lacks. */
export interface Finding {
  what: string
  state: 'good' | 'limited' | 'missing'
  detail: string
  /** What its absence costs; '' when nothing is wrong. */
  cost: string
  fix: string
}
