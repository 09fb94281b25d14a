import { erasureContract } from "@outbound/testkit/contracts/service/erasure.js"
import { erasureReachContract } from "@outbound/testkit/contracts/service/erasureReach.js"
import { erasureSendingContract } from "@outbound/testkit/contracts/service/erasureSending.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

const withRows = Layer.provideMerge(everyRow, service)

erasureContract("postgres", withRows)
erasureReachContract("postgres", withRows)
erasureSendingContract("postgres", withRows)
