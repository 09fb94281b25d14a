import { evidenceContract } from "@outbound/testkit/contracts/service/evidence.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

evidenceContract("postgres", Layer.provideMerge(everyRow, service))
