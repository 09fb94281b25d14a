/** What we use of Effect's unstable `http` modules: nobody else imports them, so that one file changes when they do. */
export * as FetchHttpClient from "effect/http/FetchHttpClient"
export * as HttpBody from "effect/http/HttpBody"
export * as HttpClient from "effect/http/HttpClient"
export * as HttpClientRequest from "effect/http/HttpClientRequest"
