import { evidenceContract } from "@outbound/testkit/contracts/service/evidence.js"
import { evidenceFlawsContract } from "@outbound/testkit/contracts/service/evidenceFlaws.js"
import { Layer } from "effect"
import { everyRow } from "../postgres/everyRow.js"
import { service } from "./service.js"

evidenceFlawsContract("postgres", service)
evidenceContract("postgres", Layer.provideMerge(everyRow, service))
