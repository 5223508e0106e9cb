/** The package has types, but its list of exports does not lead to them. */
declare module 'graphql-helix/process-request' {
  export const processRequest: typeof import('../../../node_modules/graphql-helix/dist/process-request.d.ts').processRequest
}
