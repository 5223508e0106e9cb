/** `end_period` -> `endPeriod`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}
