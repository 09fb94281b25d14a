import { type ClosedGates, Releases } from "@outbound/domain/calls/releases/Releases.js"
import { Layer } from "effect"
import { closedDatasetsContract, enrichCompanyContract } from "../../src/contracts/service/enrichCompany.js"
import { enrichCompanyProperties } from "../../src/contracts/service/enrichCompanyProperties.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { quietMemory, over } from "../../src/service/Service.js"

const PAUSED = "the operator has paused it"
const closed: ClosedGates = { "enrich_company.technologies": PAUSED, "enrich_company.brief_deep": PAUSED }

enrichCompanyContract("memory", quietMemory)
enrichCompanyProperties("memory", quietMemory)
closedDatasetsContract("memory", over(MemoryLayer.layer).pipe(Layer.provide(Layer.succeed(Releases, closed))), PAUSED)
