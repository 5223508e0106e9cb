/** Event of `document` after a request, with whether the server was reached. */
export const REACHED = 'ledgerlake-reached'

export const tellReached = (isReached: boolean) =>
  document.dispatchEvent(new CustomEvent(REACHED, { detail: isReached }))
