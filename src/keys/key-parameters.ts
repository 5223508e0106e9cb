/** Query parameters in which other services accept a key. */
export const keyParameters: readonly string[] = ['api_key', 'apikey', 'access_token', 'token', 'key']
