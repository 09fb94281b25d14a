/** The module that npm's package brings: by its own name Node would load its old copy. */
declare module "punycode/punycode.es6.js" {
  /** The text of a label without its `xn--`. Throws a `RangeError` where it is none. */
  export const decode: (encoded: string) => string
}
