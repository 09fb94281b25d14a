import { personFileContract } from "@outbound/testkit/contracts/service/personFile.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

personFileContract("postgres", Layer.provideMerge(everyRow, service))
