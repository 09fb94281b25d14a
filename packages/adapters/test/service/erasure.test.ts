import { erasureContract } from "@outbound/testkit/contracts/service/erasure.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

erasureContract("postgres", Layer.provideMerge(everyRow, service))
