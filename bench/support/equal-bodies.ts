/** Errors: two bodies differ, each under the name of who sent it; the message shows where. */
export function checkEqual(path: string, sent: Readonly<Record<string, Buffer>>): void {
  const [[first, body], [second, other]] = Object.entries(sent) as [[string, Buffer], [string, Buffer]]
  if (body.equals(other)) return
  const differing = body.findIndex((byte, index) => byte !== other[index])
  const at = differing < 0 ? body.length : differing
  const near = (one: Buffer) => one.toString('utf8', Math.max(0, at - 40), at + 80)
  throw new Error(
    `${path} is answered differently at byte ${at}: ${near(body)} by ${first}, ${near(other)} by ${second}`,
  )
}
