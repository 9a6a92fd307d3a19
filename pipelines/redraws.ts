/** Whether what stands on a screen can be replaced. A build server keeps what it was sent, redrawn lines and all. */
export function redraws(
  {isTTY = false}: {isTTY?: boolean | undefined},
  {TERM, CI = ''}: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY && TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}
