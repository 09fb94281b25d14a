/** What we use of Effect's unstable `rpc` modules: nobody else imports them, so that one file changes when they do. */
export * as Rpc from "effect/rpc/Rpc"
export * as RpcClient from "effect/rpc/RpcClient"
export { Protocol } from "effect/rpc/RpcClient"
export { RpcClientDefect, RpcClientError } from "effect/rpc/RpcClientError"
export * as RpcGroup from "effect/rpc/RpcGroup"
export type { FromServerEncoded, RequestEncoded, ResponseExitEncoded } from "effect/rpc/RpcMessage"
export * as RpcSerialization from "effect/rpc/RpcSerialization"
