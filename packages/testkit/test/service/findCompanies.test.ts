import { type ClosedGates, Releases } from "@outbound/domain/calls/releases/Releases.js"
import { Layer } from "effect"
import { findCompaniesContract } from "../../src/contracts/service/findCompanies.js"
import { findCompaniesProperties } from "../../src/contracts/service/findCompaniesProperties.js"
import { closedModesContract, findCompaniesSourcesContract } from "../../src/contracts/service/findCompaniesSources.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { quietMemory, over } from "../../src/service/Service.js"

const PAUSED = "the operator has paused it"
const closed: ClosedGates = { "find_companies.local": PAUSED, "find_companies.hiring": PAUSED }

findCompaniesContract("memory", quietMemory)
findCompaniesSourcesContract("memory", quietMemory)
findCompaniesProperties("memory", quietMemory)
closedModesContract("memory", over(MemoryLayer.layer).pipe(Layer.provide(Layer.succeed(Releases, closed))), PAUSED)
