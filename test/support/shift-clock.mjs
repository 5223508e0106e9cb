/** Loaded before a program, puts the clock that people set where CLOCK_AT says, milliseconds since 1970; it goes on from there. */
const shift = Number(process.env.CLOCK_AT) - Date.now()
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift)
    else super(...parts)
  }

  static now() {
    return RealDate.now() + shift
  }
}
