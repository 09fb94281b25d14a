import { retentionContract } from "@outbound/testkit/contracts/service/retention.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

retentionContract("postgres", Layer.provideMerge(everyRow, service))
