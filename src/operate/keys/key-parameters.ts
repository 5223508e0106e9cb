/** Parameters in which other services take a key. */
export const keyParameters: readonly string[] = ['api_key', 'apikey', 'access_token', 'token', 'key']
